"""The files for containers: the compose file, and the manifests for Kubernetes. `make image-test` runs the former."""

import json
import re

import jsonschema
import kubernetes_validate
import pytest
import yaml

import gradecast

DEPLOY = gradecast.ROOT / "deploy"
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
MANIFESTS = DEPLOY / "kubernetes"
KUBERNETES = ("1.30", "1.37")
CONFIGURATIONS = [*sorted((DEPLOY / "compose").glob("*.json")), MANIFESTS / "config.json"]
IMAGE = (DEPLOY / "image" / "build").read_text()
USER = int(re.search(r"^user=(\d+)$", IMAGE, re.MULTILINE)[1])
# systemd's own name for the folder of credentials.
VARIABLES = set(re.findall(r"GRADECAST_\w+", (gradecast.ROOT / "docs" / "configuration.md").read_text())) | {
    "CREDENTIALS_DIRECTORY"
}


def servers():
    """The services of the compose file that run Gradecast."""
    found = {name: service for name, service in COMPOSE["services"].items() if "gradecast" in service["image"]}
    assert len(found) == 5
    return found


def manifests():
    """Every resource, as `{kind: resource}`."""
    resources = [
        resource
        for path in MANIFESTS.glob("*.yaml")
        if path.name != "kustomization.yaml"
        for resource in yaml.safe_load_all(path.read_text())
    ]
    found = {resource["kind"]: resource for resource in resources}
    assert len(found) == len(resources)
    return found


def pods():
    """The pods of the manifests."""
    return {kind: manifests()[kind]["spec"]["template"]["spec"] for kind in ("Job", "Deployment")}


def seconds(text):
    return int(re.fullmatch(r"(\d+)s", text)[1])


def configured(path, key, fallback):
    return json.loads(path.read_text()).get("limits", {}).get(key, fallback)


def fallback(key):
    """The default of a limit."""
    schema = json.loads(gradecast.run("check", "--schema").stdout)
    return schema["properties"]["limits"]["properties"][key]["default"]


def time_to_end(path):
    """How long a server with a configuration may take from SIGTERM to its end."""
    return sum(configured(path, key, fallback(key)) for key in ("noticeSeconds", "drainSeconds"))


@pytest.mark.parametrize("path", CONFIGURATIONS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_configuration_is_as_the_schema_says(path):
    schema = json.loads(gradecast.run("check", "--schema").stdout)
    jsonschema.Draft202012Validator(schema).validate(json.loads(path.read_text()))


def test_each_variable_is_one_that_the_server_reads():
    named = set(re.findall(r"GRADECAST_(?!IMAGE)\w+", IMAGE + (DEPLOY / "compose.yaml").read_text()))
    for service in servers().values():
        named |= service.get("environment", {}).keys()
    for pod in pods().values():
        named |= {variable["name"] for container in pod["containers"] for variable in container["env"]}
    assert named > {"CREDENTIALS_DIRECTORY", "GRADECAST_PEPPER"}
    assert named - VARIABLES == set()


@pytest.mark.parametrize("version", KUBERNETES)
def test_each_manifest_is_as_kubernetes_describes_it(version):
    for resource in manifests().values():
        kubernetes_validate.validate(resource, version, strict=True)


def test_kustomize_takes_up_every_manifest():
    kustomization = yaml.safe_load((MANIFESTS / "kustomization.yaml").read_text())
    others = {path.name for path in MANIFESTS.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(kustomization["resources"]) == others
    assert kustomization["configMapGenerator"] == [{"name": "gradecast", "files": ["config.json"]}]
    assert {image["name"] for image in kustomization["images"]} == {
        container["image"] for pod in pods().values() for container in pod["containers"]
    }


def test_containers_have_no_rights_that_they_do_not_need():
    for service in servers().values():
        assert service["read_only"] and service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    for pod in pods().values():
        security = pod["securityContext"]
        assert security["runAsNonRoot"] and security["seccompProfile"] == {"type": "RuntimeDefault"}
        assert security["runAsUser"] == security["runAsGroup"] == security["fsGroup"] == USER
        assert pod["automountServiceAccountToken"] is False
        for container in pod["containers"]:
            assert container["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }


def test_containers_are_given_the_time_that_a_server_takes_to_end():
    for service in servers().values():
        config = next(each for each in service["volumes"] if each.endswith("/etc/gradecast/config.json:ro"))
        assert seconds(service["stop_grace_period"]) > time_to_end(DEPLOY / config.partition(":")[0])
    assert pods()["Deployment"]["terminationGracePeriodSeconds"] > time_to_end(MANIFESTS / "config.json")


def test_a_pod_leaves_its_service_before_it_takes_no_more_connections():
    (container,) = pods()["Deployment"]["containers"]
    probe = container["readinessProbe"]
    notice = configured(MANIFESTS / "config.json", "noticeSeconds", fallback("noticeSeconds"))
    assert notice > probe["periodSeconds"] * probe["failureThreshold"] + probe["timeoutSeconds"]


def test_probes_ask_the_management_address():
    port = int(re.search(r"GRADECAST_MANAGEMENT_PORT=(\d+)", IMAGE)[1])
    (container,) = pods()["Deployment"]["containers"]
    ports = {each["name"]: each["containerPort"] for each in container["ports"]}
    assert ports["management"] == port
    asked = {name: container[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")}
    assert {name: (probe["path"], probe["port"]) for name, probe in asked.items()} == {
        "startup": ("/healthz", "management"),
        "liveness": ("/healthz", "management"),
        "readiness": ("/readyz", "management"),
    }
    checks = [each["healthcheck"] for name, each in servers().items() if name != "migrate"]
    assert [check["test"] for check in checks] == [["CMD", "/usr/bin/gradecast", "ready", str(port)]] * 4


def test_kubernetes_sets_no_variable_that_the_server_takes_for_its_own():
    """A service named gradecast would put `tcp://…` into GRADECAST_PORT."""
    assert [pod["enableServiceLinks"] for pod in pods().values()] == [False, False]


def test_labels_bring_together_what_belongs_together():
    found = manifests()
    labels = found["Deployment"]["spec"]["template"]["metadata"]["labels"]
    chosen = [
        found["Deployment"]["spec"]["selector"]["matchLabels"],
        found["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"],
        found["Service"]["spec"]["selector"],
    ]
    for selector in chosen:
        assert selector.items() <= labels.items()
        assert not selector.items() <= found["Job"]["spec"]["template"]["metadata"]["labels"].items()


def test_the_compose_file_names_what_is_there():
    for service in COMPOSE["services"].values():
        assert set(service.get("networks", [])) <= COMPOSE["networks"].keys()
        assert set(service.get("secrets", [])) <= COMPOSE["secrets"].keys()
        assert set(service.get("depends_on", [])) <= COMPOSE["services"].keys()
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert (DEPLOY / source).is_file() if source.startswith("./") else source in COMPOSE["volumes"]
    network = COMPOSE["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert json.loads((DEPLOY / "compose" / "cluster.json").read_text())["listen"]["proxies"] == [network]
