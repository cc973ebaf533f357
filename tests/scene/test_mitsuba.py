"""render_frame: every channel against ray casts, finite differences and plain renders."""

import sys

import numpy as np
import pytest

from tilelab import UnsupportedError
from tilelab.frame import CHANNELS
from tilelab.scene import Camera, render_frame
from tilelab.scene.color_pass import srgb_encode

mi = pytest.importorskip("mitsuba")

WIDTH, HEIGHT = 64, 36
CAMERA = Camera(position=(0.4, 1.2, 4.5), target=(0, 0, 0), horizontal_fov_deg=50)
BEFORE = Camera(position=(0.3, 1.2, 4.6), target=(0.05, 0, 0), horizontal_fov_deg=50)
SIZE = {"width": WIDTH, "height": HEIGHT, "progress": False}


def example(mi):
    """Three meshes, a sphere, two materials, two lights, a sensor, and sky around them."""
    place = mi.ScalarTransform4f
    checks = np.zeros((4, 8, 3), np.float32)
    checks[:, :, 0] = np.arange(8) / 8
    checks[:, :, 1] = np.arange(4)[:, None] / 4
    texture = {"type": "bitmap", "bitmap": mi.Bitmap(checks), "raw": True, "filter_type": "nearest"}
    return {
        "type": "scene",
        "paint": {"type": "diffuse", "reflectance": texture},
        "floor": {
            "type": "rectangle",
            "to_world": place().translate([0, -1, 0]).rotate([1, 0, 0], -90).scale(3),
            "bsdf": {"type": "ref", "id": "paint"},
        },
        "back": {
            "type": "rectangle",
            "to_world": place().translate([0, 0, -2]).scale(1.2),
            "bsdf": {"type": "ref", "id": "paint"},
        },
        "ball": {"type": "sphere", "center": [1.0, -0.4, 0.5], "radius": 0.6},
        "cube": {
            "type": "cube",
            "to_world": place().translate([-1, -0.5, 0.3]).rotate([0, 1, 0], 30).scale(0.5),
        },
        "sun": {
            "type": "directional",
            "direction": [0.5, -1, -0.4],
            "irradiance": {"type": "rgb", "value": 2.0},
        },
        "lamp": {"type": "point", "position": [0, 2, 2], "intensity": {"type": "rgb", "value": 3.0}},
        "sensor": {
            "type": "perspective",
            "fov": 50,
            "fov_axis": "x",
            "principal_point_offset_x": 0.05,
            "to_world": place().look_at([0.4, 1.2, 4.5], [0, 0, 0], [0, 1, 0]),
            "film": {
                "type": "hdrfilm",
                "width": 80,
                "height": 50,
                "crop_width": 40,
                "crop_height": 30,
                "crop_offset_x": 10,
                "crop_offset_y": 5,
            },
        },
    }


@pytest.fixture(scope="module", autouse=True)
def variant():
    mi.set_variant("scalar_rgb")


@pytest.fixture(scope="module")
def scene(variant):
    return mi.load_dict(example(mi), parallel=False, optimize=False)


@pytest.fixture(scope="module")
def frame(scene):
    return render_frame(scene, camera=CAMERA, previous_camera=BEFORE, spp=4, **SIZE)


def casts(scene, camera=CAMERA, width=WIDTH, height=HEIGHT):
    """Yield (y, x, surface interaction) of rays built here, not by the renderer's sensor."""
    view = camera.view(width, height)
    for y, row in enumerate(view.pixel_directions()):
        for x, direction in enumerate(row):
            length = float(np.linalg.norm(direction))
            ray = mi.Ray3f(mi.ScalarPoint3f(*camera.position), mi.ScalarVector3f(*(direction / length)))
            yield y, x, scene.ray_intersect(ray), length


def test_every_channel_is_there(frame):
    assert list(frame.channels) == list(CHANNELS)
    assert frame.shape == (HEIGHT, WIDTH)
    hit = frame.primitive_id >= 0
    assert 0.2 < hit.mean() < 0.95
    assert (frame.depth[~hit] == np.inf).all()
    assert (frame.material[~hit] == -1).all()
    for name in ("albedo", "sh_normal", "uv", "duv_dx", "duv_dy"):
        assert (getattr(frame, name)[~hit] == 0).all()


def test_depth_and_ids_agree_with_ray_casts(frame, scene):
    shapes = sorted(scene.shapes(), key=lambda shape: shape.id())
    first = np.cumsum([0] + [shape.primitive_count() for shape in shapes])
    assert [shape.id() for shape in shapes] == ["back", "ball", "cube", "floor"]
    wrong = 0
    for y, x, hit, length in casts(scene):
        if not hit.is_valid():
            wrong += frame.primitive_id[y, x] != -1
            continue
        shape = next(index for index, known in enumerate(shapes) if known is hit.shape)
        if frame.primitive_id[y, x] != first[shape] + hit.prim_index:
            wrong += 1
            continue
        assert frame.depth[y, x] == pytest.approx(hit.t / length, rel=1e-5)
        np.testing.assert_allclose(frame.uv[y, x], np.array(hit.uv), atol=1e-5)
        assert frame.material[y, x] == [0, 1, 2, 0][shape]
    assert wrong <= 2  # rays built in float64 may fall on the other side of an edge


def test_primitive_numbers_are_unique_over_the_scene(frame):
    owners = {}
    for primitive, material in zip(frame.primitive_id.ravel(), frame.material.ravel(), strict=True):
        assert owners.setdefault(primitive, material) == material
    # floor and back wall have 2 triangles each and the cube 12: prim_index alone would give 0 and 1 to all
    assert frame.primitive_id.max() == 2 + 1 + 12 + 2 - 1


def test_gradients_agree_with_finite_differences(frame):
    meshes = (frame.primitive_id >= 0) & (frame.primitive_id != 2)  # the ball is no triangle
    for gradient, axis in ((frame.duv_dx, 1), (frame.duv_dy, 0)):
        here = (slice(None), slice(None, -1)) if axis == 1 else (slice(None, -1), slice(None))
        inside = (np.diff(frame.primitive_id, axis=axis) == 0) & meshes[here]
        difference = np.diff(frame.uv, axis=axis)[inside]
        assert inside.sum() > 500
        np.testing.assert_allclose(gradient[here][inside], difference, rtol=1e-5, atol=5e-6)


def test_uv_starts_at_the_first_row_of_the_image(frame):
    painted = frame.material == 0
    u, v = frame.uv[painted].T
    np.testing.assert_array_equal(frame.albedo[painted][:, 0], np.floor(u * 8) / 8)
    np.testing.assert_array_equal(frame.albedo[painted][:, 1], np.floor(v * 4) / 4)


def test_normals_are_those_of_the_surface(frame):
    hit = frame.primitive_id >= 0
    np.testing.assert_allclose(np.linalg.norm(frame.sh_normal[hit], axis=1), 1, atol=1e-5)
    floor = frame.primitive_id >= 15
    np.testing.assert_allclose(
        frame.sh_normal[floor], np.broadcast_to([0, 1, 0], (floor.sum(), 3)), atol=1e-6
    )


def test_motion_is_the_move_of_the_point(frame):
    view, before = CAMERA.view(WIDTH, HEIGHT), BEFORE.view(WIDTH, HEIGHT)
    hit = frame.primitive_id >= 0
    directions = view.pixel_directions()
    points = np.array(CAMERA.position) + frame.depth[..., None][hit] * directions[hit]
    y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    now = np.stack([x, y], axis=2)
    np.testing.assert_allclose(frame.motion[hit], now[hit] - before.project(points)[0], atol=2e-4)
    far = directions[~hit] * 1e9
    np.testing.assert_allclose(frame.motion[~hit], now[~hit] - before.project(far)[0], atol=2e-4)
    assert np.abs(frame.motion).max() > 1


def test_a_standing_camera_has_no_motion_and_no_previous_camera_no_channel(scene):
    still = render_frame(scene, camera=CAMERA, previous_camera=CAMERA, spp=1, **SIZE)
    assert (still.motion == 0).all()
    assert render_frame(scene, camera=CAMERA, spp=1, **SIZE).motion is None


def test_points_behind_the_previous_camera_have_no_motion(scene):
    ahead = Camera(position=(0.4, 0.5, 0.0), target=(0.4, 0.4, -2))
    frame = render_frame(scene, camera=CAMERA, previous_camera=ahead, spp=1, **SIZE)
    unknown = np.isnan(frame.motion)
    assert unknown[..., 0].any()
    assert not unknown.all()
    np.testing.assert_array_equal(unknown[..., 0], unknown[..., 1])


def test_color_is_a_pass_of_its_own(scene, frame):
    linear = render_frame(scene, camera=CAMERA, linear=True, spp=256, **SIZE)
    sensor = mi.load_dict(
        {
            "type": "perspective",
            "fov": 50,
            "to_world": mi.ScalarTransform4f(CAMERA.to_world()),
            "film": {"type": "hdrfilm", "width": WIDTH, "height": HEIGHT, "rfilter": {"type": "box"}},
        }
    )
    plain = np.array(mi.render(scene, sensor=sensor, integrator=mi.load_dict({"type": "direct"}), spp=256))
    assert np.abs(linear.color - plain).mean() < 0.06 * plain.mean()  # noise of choosing between two lights
    assert linear.color.mean() == pytest.approx(plain.mean(), rel=0.01)
    shown = render_frame(scene, camera=CAMERA, spp=256, **SIZE)
    np.testing.assert_array_equal(shown.color, srgb_encode(linear.color))
    assert shown.color.max() <= 1
    # colour is blended across edges, geometry is not
    assert len(np.unique(linear.depth)) > 100
    np.testing.assert_array_equal(linear.depth, frame.depth)


def test_same_seed_same_bits(scene):
    first, second = (render_frame(scene, camera=CAMERA, spp=2, seed=7, **SIZE) for _ in range(2))
    assert first == second
    other = render_frame(scene, camera=CAMERA, spp=2, seed=8, **SIZE)
    assert not np.array_equal(first.color, other.color)


def test_separate_lights_add_up_without_noise(scene):
    weights = [light.sampling_weight() for light in scene.emitters()]
    options = {"camera": CAMERA, "linear": True, **SIZE}
    apart = render_frame(scene, separate_lights=True, spp=16, **options)
    together = render_frame(scene, spp=400, **options)
    assert [light.sampling_weight() for light in scene.emitters()] == weights
    inside = np.zeros((HEIGHT, WIDTH), bool)
    inside[1:-1, 1:-1] = (
        (np.abs(np.diff(together.color.sum(2), axis=1))[1:-1, :-1] < 0.02)
        & (np.abs(np.diff(together.color.sum(2), axis=1))[1:-1, 1:] < 0.02)
        & (np.abs(np.diff(together.color.sum(2), axis=0))[:-1, 1:-1] < 0.02)
    )
    assert inside.mean() > 0.3
    np.testing.assert_allclose(apart.color[inside], together.color[inside], atol=0.05)
    assert np.abs(apart.color - together.color).mean() < 0.02 * together.color.mean()


def test_scenes_come_as_dict_function_text_and_file(tmp_path, scene):
    text = """<scene version="3.0.0"><shape type="sphere" id="ball"/><emitter type="constant"/>
        <sensor type="perspective"><float name="fov" value="40"/>
            <transform name="to_world"><lookat origin="0,0,5" target="0,0,0" up="0,1,0"/></transform>
            <film type="hdrfilm"><integer name="width" value="16"/><integer name="height" value="9"/></film>
        </sensor></scene>"""
    path = tmp_path / "scene.xml"
    path.write_text(text)
    from_text = render_frame(text, spp=1, progress=False)
    assert from_text.shape == (9, 16)
    assert from_text == render_frame(path, spp=1, progress=False)
    assert from_text.depth.min() == pytest.approx(4, abs=0.05)
    options = {"camera": CAMERA, "spp": 1, **SIZE}
    from_scene = render_frame(scene, **options)
    assert render_frame(example(mi), **options) == from_scene
    assert render_frame(example, **options) == from_scene
    assert (
        render_frame(lambda mi: mi.load_dict(example(mi), parallel=False, optimize=False), **options)
        == from_scene
    )


def test_a_sensor_of_the_scene_with_crop_and_offset(scene):
    frame = render_frame(scene, spp=1, progress=False)
    assert frame.shape == (30, 40)
    sensor = scene.sensors()[0]
    wrong = 0
    for y in range(0, 30, 3):
        for x in range(0, 40, 3):
            ray, _ = sensor.sample_ray(0, 0.5, [(x + 0.5) / 40, (y + 0.5) / 30], [0.5, 0.5])
            hit = scene.ray_intersect(ray)
            if hit.is_valid() != (frame.primitive_id[y, x] >= 0):
                wrong += 1
            elif hit.is_valid():
                forward = np.array(sensor.world_transform().matrix)[:3, 2]
                depth = (np.array(hit.p) - [0.4, 1.2, 4.5]) @ forward
                wrong += abs(frame.depth[y, x] - depth) > 1e-4
    assert wrong <= 1
    # the same sensor given in three ways, and with another size
    assert render_frame(scene, camera=sensor, spp=1, progress=False) == frame
    assert render_frame(scene, camera=example(mi)["sensor"], spp=1, progress=False) == frame
    assert render_frame(scene, camera=0, spp=1, width=20, height=12, progress=False).shape == (12, 20)


def test_the_active_variant_is_restored(scene):
    mi.set_variant("scalar_spectral")
    try:
        rgb = render_frame(scene, camera=CAMERA, spp=1, **SIZE)
        assert mi.variant() == "scalar_spectral"
        with pytest.raises(ValueError, match="scene must be hit"):
            render_frame({"type": "scene"}, camera=CAMERA, variant="scalar_rgb", **SIZE)
        assert mi.variant() == "scalar_spectral"
    finally:
        mi.set_variant("scalar_rgb")
    with pytest.raises(ValueError, match="scene must be renderable with scalar_spectral, got"):
        render_frame(example, camera=CAMERA, variant="scalar_spectral", spp=1, **SIZE)

    def grey(mi):
        return {**example(mi), "paint": {"type": "diffuse"}}

    spectral = render_frame(grey, camera=CAMERA, variant="scalar_spectral", spp=1, **SIZE)
    assert mi.variant() == "scalar_rgb"
    np.testing.assert_array_equal(spectral.primitive_id, rgb.primitive_id)
    np.testing.assert_array_equal(spectral.depth, rgb.depth)


def test_progress_is_told_and_can_stop_the_work(scene):
    told = []
    options = {"camera": CAMERA, "spp": 1, "width": 20, "height": 150}
    render_frame(scene, separate_lights=True, progress=lambda *parts: told.append(parts), **options)
    assert told == [
        (64, 450),
        (128, 450),
        (150, 450),
        (214, 450),
        (278, 450),
        (300, 450),
        (364, 450),
        (428, 450),
        (450, 450),
    ]

    def stop(done, total):
        raise KeyboardInterrupt

    weights = [light.sampling_weight() for light in scene.emitters()]
    with pytest.raises(KeyboardInterrupt):
        render_frame(scene, separate_lights=True, progress=stop, **options)
    assert [light.sampling_weight() for light in scene.emitters()] == weights


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"spp": 0}, ValueError, "spp must be at least 1, got 0"),
        ({"spp": 2.5}, TypeError, "spp must be an integer"),
        ({"seed": -1}, ValueError, r"seed must be in \[0, 4294967295\], got -1"),
        ({"width": 0}, ValueError, r"width must be in \[1, 16384\], got 0"),
        ({"height": None}, ValueError, "height must be given together with the other side"),
        ({"width": None, "height": None}, ValueError, "width must be given with a Camera"),
        ({"camera": 1}, ValueError, "camera must be the number of one of the scene's 1 sensors, got 1"),
        ({"camera": -1}, ValueError, "camera must be the number of one of the scene's 1 sensors, got -1"),
        ({"camera": "front"}, TypeError, "camera must be a Camera, a Mitsuba sensor or its number, got str"),
        ({"previous_camera": 5}, ValueError, "previous_camera must be the number of one of"),
        ({"camera": {"type": "no such sensor"}}, ValueError, "camera must be a valid Mitsuba sensor"),
        ({"camera": {"type": "sphere"}}, ValueError, "camera must be a Mitsuba sensor, got"),
        (
            {"camera": {"type": "orthographic"}},
            UnsupportedError,
            "camera must be a perspective sensor, got Ortho",
        ),
        (
            {"camera": {"type": "thinlens", "aperture_radius": 0.1}},
            UnsupportedError,
            "perspective sensor, got Thin",
        ),
        ({"variant": "no_such"}, ValueError, "variant must be one of .*scalar_rgb.*got 'no_such'"),
        ({"integrator": "path"}, TypeError, "integrator must be a dictionary, got str"),
        ({"integrator": {"type": "no such"}}, ValueError, "integrator must be a valid Mitsuba integrator"),
        ({"integrator": {"type": "sphere"}}, ValueError, "integrator must be a Mitsuba integrator"),
        (
            {"integrator": {"type": "path"}, "separate_lights": True},
            ValueError,
            "integrator must not be given together",
        ),
        ({"linear": 1}, TypeError, "linear must be True or False"),
        ({"progress": 1}, TypeError, "progress must be True or False"),
        ({"origin": 1}, TypeError, "origin must be a str"),
    ],
)
def test_bad_arguments_are_refused(scene, changes, error, message):
    with pytest.raises(error, match=message):
        render_frame(scene, **{"camera": CAMERA, "spp": 1, **SIZE, **changes})


@pytest.mark.parametrize(
    ("scene", "error", "message"),
    [
        ({"type": "scene"}, ValueError, "scene must be hit by at least one ray of the camera, got none"),
        (
            {"type": "scene", "ball": {"type": "sphere", "center": [0, 0, 90]}},
            ValueError,
            "scene must be hit",
        ),
        ({"type": "sphere"}, ValueError, "scene must have the type scene"),
        ({"type": "no such thing"}, ValueError, "scene must be a valid Mitsuba scene"),
        ("<scene", ValueError, "scene must be a valid Mitsuba scene"),
        ("no_such_file.xml", FileNotFoundError, "no_such_file.xml"),
        (3, TypeError, "scene must be a dictionary, a path, XML text or a scene, got int"),
        (None, TypeError, "scene must be a dictionary"),
    ],
)
def test_bad_scenes_are_refused(scene, error, message):
    with pytest.raises(error, match=message):
        render_frame(scene, camera=CAMERA, spp=1, **SIZE)


def test_what_cannot_be_told_apart_is_refused():
    group = {
        "type": "scene",
        "group": {"type": "shapegroup", "ball": {"type": "sphere"}},
        "copy": {"type": "instance", "shapegroup": {"type": "ref", "id": "group"}},
    }
    with pytest.raises(UnsupportedError, match="scene must not have instances"):
        render_frame(group, camera=CAMERA, spp=1, **SIZE)
    lit = {"type": "scene", "ball": {"type": "sphere", "emitter": {"type": "area"}}}
    with pytest.raises(UnsupportedError, match="separate_lights must have lights without surfaces"):
        render_frame(lit, camera=CAMERA, spp=1, separate_lights=True, **SIZE)


def test_without_mitsuba_the_error_says_how_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    with pytest.raises(ImportError, match=r'pip install "tilelab\[scene\]"'):
        render_frame({"type": "scene"}, camera=CAMERA, **SIZE)
