#!/usr/bin/env python3
"""Writes those parts of a release that need no program: lists of modules, archives, the container image, and sums.

    pack.py sbom VERSION REVISION <MODULES      MODULES as `go version -m` prints them; SPDX on standard output
    pack.py archive DIRECTORY FILE              FILE ends with .tar.gz or .zip
    pack.py image NAME:VERSION REVISION FILE ARCHITECTURE=PROGRAM...
    pack.py sums DIRECTORY

All times are SOURCE_DATE_EPOCH, so equal arguments give equal bytes on a machine with the same zlib.
"""

import datetime
import gzip
import hashlib
import io
import json
import os
import shlex
import string
import sys
import tarfile
import zipfile

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
CREATED = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def sbom(version, revision):
    def package(n, path, number, digest):
        known = {"SPDXID": f"SPDXRef-{n}", "name": path, "versionInfo": number, "downloadLocation": "NOASSERTION",
                 "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION",
                 "copyrightText": "NOASSERTION"}
        if digest:
            known["comment"] = f"go.sum {digest}"
        if n:
            known["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                                      "referenceLocator": f"pkg:golang/{path}@{number}"}]
        return known

    lines = [line.split() for line in sys.stdin]
    go = lines[0][-1].removeprefix("go")
    modules = [("notakto", version, ""), ("stdlib", go, "")]
    modules += [(w[1], w[2], w[3] if len(w) > 3 else "") for w in lines if w and w[0] == "dep"]
    packages = [package(n, *m) for n, m in enumerate(modules)]
    system = dict(w[1].split("=", 1) for w in lines if len(w) > 1 and w[0] == "build" and "=" in w[1])
    target = system["GOOS"] + "-" + system["GOARCH"]
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"notakto-{version}-{target}", "documentNamespace": f"urn:notakto:{version}:{revision}:{target}",
        "creationInfo": {"created": CREATED, "creators": ["Tool: go version -m"]}, "packages": packages,
        "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                           "relatedSpdxElement": "SPDXRef-0"}]
        + [{"spdxElementId": "SPDXRef-0", "relationshipType": "DEPENDS_ON", "relatedSpdxElement": p["SPDXID"]}
           for p in packages[1:]],
    }, sys.stdout, indent=1)
    print()


def add(tar, name, mode, content=None, owner=0):
    """Add a file, or without content a directory."""
    entry = tarfile.TarInfo(name)
    entry.mode, entry.mtime, entry.uid = mode, EPOCH, owner
    if content is None:
        entry.type = tarfile.DIRTYPE
        tar.addfile(entry)
    else:
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compress(data):
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", 9, packed, 0) as file:
        file.write(data)
    return packed.getvalue()


def archive(directory, target):
    top = os.path.dirname(directory)
    paths = sorted(os.path.join(d, name) for d, dirs, files in os.walk(directory) for name in dirs + files)
    entries = [(os.path.relpath(path, top), path) for path in [directory, *paths]]
    if target.endswith(".zip"):
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
            when = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).timetuple()[:6]
            for name, path in entries:
                if os.path.isfile(path):
                    entry = zipfile.ZipInfo(name, when)
                    entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o100644 << 16
                    packed.writestr(entry, read(path))
        return
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, path in entries:
            add(tar, name, os.stat(path).st_mode & 0o777, read(path) if os.path.isfile(path) else None)
    with open(target, "wb") as file:
        file.write(compress(plain.getvalue()))


def settings(version, revision):
    """The settings of the image, from the last stage of the Dockerfile."""
    nanoseconds = {"s": 10**9, "m": 60 * 10**9}
    with open("Dockerfile", encoding="utf-8") as file:
        stage = file.read().replace("\\\n", " ").split("\nFROM scratch\n")[1]
    stage = string.Template(stage).substitute(VERSION=version, REVISION=revision)
    config = {"Env": [], "Labels": {}, "ExposedPorts": {}, "Volumes": {}}
    for line in stage.splitlines():
        word, _, rest = line.partition(" ")
        if word == "ENV":
            config["Env"].append(rest)
        elif word == "LABEL":
            config["Labels"].update(pair.split("=", 1) for pair in shlex.split(rest))
        elif word == "USER":
            config["User"] = rest
        elif word == "VOLUME":
            config["Volumes"][rest] = {}
        elif word == "EXPOSE":
            config["ExposedPorts"][rest + "/tcp"] = {}
        elif word == "ENTRYPOINT":
            config["Entrypoint"] = json.loads(rest)
        elif word == "HEALTHCHECK":
            flags, command = rest.split(" CMD ")
            times = dict(flag.removeprefix("--").split("=") for flag in flags.split())
            config["Healthcheck"] = {"Test": ["CMD", *json.loads(command)]} | {
                name.title().replace("-", ""): int(time[:-1]) * nanoseconds[time[-1]] for name, time in times.items()}
        elif word not in ("", "#", "ARG", "COPY"):
            sys.exit(f"pack: image: the Dockerfile has an unknown line: {line}")
    return config


def image(name, revision, target, *programs):
    """Write an image layout in a tar archive: one image for each architecture, and their index."""
    version = name.rpartition(":")[2]
    config = settings(version, revision)
    blobs = {}

    def blob(kind, content):
        if not isinstance(content, bytes):
            content = json.dumps(content, sort_keys=True).encode()
        digest = hashlib.sha256(content).hexdigest()
        blobs[digest] = content
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(content)}

    images = []
    for program in programs:
        architecture, path = program.split("=")
        plain = io.BytesIO()
        with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            add(tar, "data", 0o770, owner=65532)
            add(tar, "notakto", 0o755, read(path))
        layer = plain.getvalue()
        images.append(blob("manifest.v1+json", {
            "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
            "config": blob("config.v1+json", {
                "created": CREATED, "os": "linux", "architecture": architecture, "config": config,
                "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
                "history": [{"created": CREATED, "created_by": ".ci/release"}]}),
            "layers": [blob("layer.v1.tar+gzip", compress(layer))],
        }) | {"platform": {"os": "linux", "architecture": architecture}})
    index = blob("index.v1+json", {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json",
                                   "manifests": images, "annotations": config["Labels"]})
    # Docker and Podman name the loaded image by the second annotation.
    index["annotations"] = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": name}
    with tarfile.open(target, "w", format=tarfile.USTAR_FORMAT) as tar:
        add(tar, "oci-layout", 0o644, b'{"imageLayoutVersion": "1.0.0"}')
        add(tar, "index.json", 0o644, json.dumps({"schemaVersion": 2, "manifests": [index]}).encode())
        for directory in "blobs", "blobs/sha256":
            add(tar, directory, 0o755)
        for digest, content in sorted(blobs.items()):
            add(tar, f"blobs/sha256/{digest}", 0o644, content)


def sums(directory):
    with open(os.path.join(directory, "SHA256SUMS"), "w", encoding="ascii", newline="\n") as file:
        for name in sorted(os.listdir(directory)):
            if name.startswith("notakto"):
                print(hashlib.sha256(read(os.path.join(directory, name))).hexdigest(), "", name, file=file)


{"sbom": sbom, "archive": archive, "image": image, "sums": sums}[sys.argv[1]](*sys.argv[2:])
