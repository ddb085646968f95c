"""The last page of a list, when it is full: no link leads to an empty page behind it."""

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
