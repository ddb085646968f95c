"""What tests of webhooks share."""

import pytest
from receiver import Receiver
from webhooks import LOOPBACK

import gradecast


@pytest.fixture
def receiver():
    made = Receiver()
    yield made
    made.down()


@pytest.fixture
def place(tmp_path):
    """A server whose operator lets messages go to this machine."""
    running = gradecast.Server(tmp_path, config=LOOPBACK).start()
    yield running
    assert running.stop() == 0, running.output()
