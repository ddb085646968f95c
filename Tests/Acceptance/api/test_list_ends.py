"""The last page of a list, when it is full: no link leads to an empty page behind it, and none is missing before."""

from client import changed, listed, next_page

# Lists that the demonstration fills, with who asks for them.
LISTS = [
    ("teacher", "/v1/classes?"),
    ("registrar", "/v1/institutions/demo/programs?"),
    ("registrar", "/v1/institutions/demo/members?"),
    ("administrator", "/v1/institutions?"),
    ("administrator", "/v1/accounts?"),
    ("administrator", "/v1/audit?"),
    ("administrator", "/v1/accounts/me/activity?"),
]


def test_a_list_ends_with_a_page_that_has_items(own_server):
    for role, path in LISTS:
        api = own_server.signed_in(role)
        items = listed(api, path)
        assert items, path
        whole = changed(api.get(f"{path}limit={len(items)}"))
        assert (whole.json["items"], next_page(whole)) == (items, None), path
        if len(items) > 1:
            first = changed(api.get(f"{path}limit={len(items) - 1}"))
            last = changed(api.get(next_page(first)))
            assert (first.json["items"] + last.json["items"], next_page(last)) == (items, None), path


def test_the_longest_page_leads_to_what_comes_after_it(own_server):
    administrator, registrar = own_server.signed_in("administrator"), own_server.signed_in("registrar")
    for number in range(201):
        institution = {"slug": f"college-{number}", "title": f"College {number}", "timeZone": "UTC"}
        changed(administrator.post("/v1/institutions", institution), 201)
        program = {"scheme": "chalkboard", "title": f"Program {number}"}
        changed(registrar.post("/v1/institutions/demo/programs", program), 201)
    for api, path in [
        (administrator, "/v1/institutions?"),
        (registrar, "/v1/institutions/demo/programs?"),
        (administrator, "/v1/audit?"),
    ]:
        first = changed(api.get(f"{path}limit=200"))
        assert len(first.json["items"]) == 200, path
        rest = listed(api, next_page(first))
        assert first.json["items"] + rest == listed(api, f"{path}limit=50"), path
