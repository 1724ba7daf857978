"""The talks' programs under the software of their time, beside today's."""
