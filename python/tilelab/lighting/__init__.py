"""Sparse deferred lighting: light the distinct pixels of every 2x2 quad once, copy to the rest."""

from tilelab.lighting.apply import fill, light, light_dense
from tilelab.lighting.coarse import coarse_gbuffer
from tilelab.lighting.cost import LightingCost, lighting_cost, wave_loops
from tilelab.lighting.fast_paths import FAST_PATHS
from tilelab.lighting.gbuffer import GBuffer
from tilelab.lighting.lights import DirectionalLights
from tilelab.lighting.records import Records, pack_records, unpack_records
from tilelab.lighting.scan import scan
from tilelab.lighting.tiles import ScanStats, SparseTiles

__all__ = [
    "FAST_PATHS",
    "DirectionalLights",
    "GBuffer",
    "LightingCost",
    "Records",
    "ScanStats",
    "SparseTiles",
    "coarse_gbuffer",
    "fill",
    "light",
    "light_dense",
    "lighting_cost",
    "pack_records",
    "scan",
    "unpack_records",
    "wave_loops",
]
__dir__ = __all__.copy
