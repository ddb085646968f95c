"""A disk under the server that can be watched and can fail: see `disk.c`."""

import pathlib
import struct
import subprocess

SOURCE = pathlib.Path(__file__).with_name("disk.c")
RECORD = struct.Struct("=IIQQ")
WRITE, TRUNCATE, SYNC, REMOVE, RENAME = 1, 2, 3, 4, 5
SECTOR = 512


class Disk:
    """What is loaded under one server, whose data lie in `folder`."""

    def __init__(self, folder, records=False):
        folder = pathlib.Path(folder)
        library, self.fault, self.log = folder / "disk.so", folder / "disk.fault", folder / "disk.log"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl", "-lpthread"], check=True)
        self.environment = {
            "LD_PRELOAD": str(library),
            "GRADECAST_DISK_FOLDER": str((folder / "data").resolve()),
            "GRADECAST_DISK_FAULT": str(self.fault),
        } | ({"GRADECAST_DISK_LOG": str(self.log)} if records else {})

    def fill(self):
        """From now on every write fails for want of space."""
        self.fault.write_text("full")

    def break_syncs(self):
        """From now on every sync fails."""
        self.fault.write_text("sync")

    def heal(self):
        """Nothing fails any more."""
        self.fault.unlink()

    @property
    def position(self):
        """Where the log ends now: what comes later has not happened yet."""
        return self.log.stat().st_size


def events(log, end):
    """What happened on the disk before that position: `(operation, file, offset, bytes)`."""
    content, at = memoryview(pathlib.Path(log).read_bytes()[:end]), 0
    while at + RECORD.size <= len(content):
        operation, name, offset, size = RECORD.unpack_from(content, at)
        at += RECORD.size
        if at + name + size > len(content):
            return
        yield operation, bytes(content[at : at + name]).decode(), offset, bytes(content[at + name : at + name + size])
        at += name + size


def after_power_loss(log, end, chance, keeps_syncs=True):
    """The files as a disk may have them when the power goes at that position: what was synced is whole; of the rest
    any part may be there, sector by sector, whatever came before or after it. A disk that does not keep its syncs
    says that it has written what it has not."""
    files, pending, renamed = {}, {}, []
    for event in events(log, end):
        operation, name = event[:2]
        if operation == SYNC and not keeps_syncs:
            continue
        if operation == RENAME:
            renamed.append((name, event[3].decode()))
        elif operation == SYNC and name == "":  # the folder: its names are as they were, what was removed is gone
            for old, new in renamed:
                rename(files, pending, old, new)
            renamed = []
            for late in [late for late in pending.values() if REMOVE in [event[0] for event in late]]:
                while (done := late.pop(0))[0] != REMOVE:
                    apply(files, *done)
                apply(files, *done)
        elif operation == SYNC:
            for late in pending.pop(name, []):
                apply(files, *late)
        else:
            pending.setdefault(name, []).append(event)
    for old, new in renamed:
        if chance.random() < 0.5:
            rename(files, pending, old, new)
    for late in (event for unsynced in pending.values() for event in unsynced):
        for part in torn(late, chance):
            apply(files, *part)
    return files


def rename(files, pending, old, new):
    """Gives a file another name, with what is still to be written to it."""
    if old in files:
        files[new] = files.pop(old)
    pending[new] = pending.pop(old, []) + pending.get(new, [])


def torn(event, chance):
    """The parts of a late write that reach the disk."""
    operation, name, offset, content = event
    if operation != WRITE:
        return [event] if chance.random() < 0.5 else []
    share = chance.choice([0.0, 0.5, 0.9, 1.0])
    step = SECTOR - offset % SECTOR
    cuts = [0, *range(step, len(content), SECTOR), len(content)]
    return [
        (WRITE, name, offset + start, content[start:end])
        for start, end in zip(cuts, cuts[1:], strict=False)
        if chance.random() < share
    ]


def apply(files, operation, name, offset, content):
    """Does to the files what happened."""
    if operation == REMOVE:
        files.pop(name, None)
        return
    file = files.setdefault(name, bytearray())
    end = offset + len(content)
    if operation == TRUNCATE:
        del file[offset:]
    if len(file) < end:
        file.extend(bytes(end - len(file)))
    file[offset:end] = content
