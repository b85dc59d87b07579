"""The process that carries out a plan and writes its journal."""
