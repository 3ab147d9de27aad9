from .app import Comal
from .settings import BadSettings, Settings, load_settings

__all__ = ["BadSettings", "Comal", "Settings", "load_settings"]
