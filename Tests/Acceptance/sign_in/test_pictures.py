"""Profile pictures lose what cameras write beside them, stay upright and keep every pixel."""

import io

import pytest
from PIL import Image, ImageOps
from PIL.PngImagePlugin import PngInfo

SECRETS = (b"Ada Lovelace", b"SERIAL-4711", b"x:xmpmeta", b"12 St James", b"a comment")
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/">Ada Lovelace</x:xmpmeta>'


def scene(mode="RGB"):
    """A picture whose corners differ, so that its turning shows."""
    gradient = Image.linear_gradient("L").resize((96, 64))
    turned = gradient.transpose(Image.Transpose.FLIP_LEFT_RIGHT).rotate(90).resize((96, 64))
    picture = Image.merge("RGB", (gradient, turned, Image.new("L", (96, 64), 40)))
    picture.paste((255, 0, 0), (0, 0, 20, 10))
    return picture.convert(mode)


def metadata(orientation):
    """EXIF of a phone: how it was held, whose it is, where and with what."""
    exif = Image.Exif()
    exif[0x0112], exif[0x013B], exif[0x010F], exif[0x8298] = orientation, "Ada Lovelace", "Phone", "12 St James"
    exif.get_ifd(0x8825).update({1: "N", 2: (51.0, 30.0, 26.0), 3: "W", 4: (0.0, 8.0, 0.0)})
    exif.get_ifd(0x8769).update({0xA431: "SERIAL-4711"})
    return exif


def encoded(kind, orientation=1, mode="RGB", **more):
    file = io.BytesIO()
    exif = metadata(orientation).tobytes()
    if kind == "png":
        info = PngInfo()
        info.add_text("Author", "Ada Lovelace")
        info.add_itxt("XML:com.adobe.xmp", XMP.decode())
        more = {"pnginfo": info} | more
    elif kind == "jpeg":
        more = {"quality": 90, "xmp": XMP, "comment": b"a comment"} | more
    else:
        more = {"xmp": XMP, "lossless": True} | more
    scene(mode).save(file, kind, exif=exif, **more)
    return file.getvalue()


def kept(api, sent):
    """The picture as the server gives it back."""
    path = f"/v1/accounts/{api.account['id']}/avatar"
    answer = api.call("PUT", path, sent, content_type="application/octet-stream")
    assert answer.status == 204, answer
    return api.get(path).body


def pixels(picture):
    return picture.size, picture.mode, picture.tobytes()


def upright(file):
    return pixels(ImageOps.exif_transpose(Image.open(io.BytesIO(file))))


def gone(file):
    """Nothing of the metadata is left but how the camera was held."""
    picture = Image.open(io.BytesIO(file))
    assert set(picture.getexif()) <= {0x0112}
    assert not picture.getexif().get_ifd(0x8825) and not picture.getexif().get_ifd(0x8769)
    assert not {"icc_profile", "xmp", "comment", "Author", "photoshop"} & set(picture.info)
    assert [secret for secret in SECRETS if secret in file] == []


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
def test_a_picture_loses_its_metadata_and_stays_as_it_was_held(student, kind, orientation):
    sent = encoded(kind, orientation)
    assert any(secret in sent for secret in SECRETS)
    found = kept(student, sent)
    gone(found)
    assert upright(found) == upright(sent)
    assert (len(found) < len(sent)) and kept(student, found) == found


@pytest.mark.parametrize(
    "kind, mode, more",
    [
        ("jpeg", "RGB", {"progressive": True}),
        ("jpeg", "RGB", {"restart_marker_blocks": 2, "optimize": True, "subsampling": 0}),
        ("jpeg", "CMYK", {}),
        ("jpeg", "L", {}),
        ("jpeg", "RGB", {"icc_profile": b"SERIAL-4711" * 9000}),
        ("png", "RGBA", {}),
        ("png", "P", {"transparency": 0}),
        ("png", "LA", {"icc_profile": b"SERIAL-4711" * 9}),
        ("webp", "RGBA", {}),
        ("webp", "RGB", {"lossless": False, "icc_profile": b"SERIAL-4711" * 9}),
    ],
)
def test_every_coding_keeps_its_pixels(student, kind, mode, more):
    sent = encoded(kind, 6, mode, **more)
    found = kept(student, sent)
    gone(found)
    assert upright(found) == upright(sent)


@pytest.mark.parametrize("kind", ["png", "webp"])
def test_an_animation_keeps_its_frames(student, kind):
    file = io.BytesIO()
    frames = [scene().rotate(angle) for angle in (0, 90, 180)]
    frames[0].save(file, kind, save_all=True, append_images=frames[1:], exif=metadata(1).tobytes(), lossless=True)
    before, found = Image.open(io.BytesIO(file.getvalue())), kept(student, file.getvalue())
    gone(found)
    after = Image.open(io.BytesIO(found))
    assert after.n_frames == before.n_frames == 3
    for index in range(3):
        before.seek(index)
        after.seek(index)
        assert pixels(after.convert("RGB")) == pixels(before.convert("RGB"))


def test_a_second_picture_behind_the_first_is_left_out(student):
    """Phones append previews and short films, with metadata of their own."""
    first, second = encoded("jpeg"), encoded("jpeg", 3)
    assert kept(student, first + second + b"SERIAL-4711") == kept(student, first)
