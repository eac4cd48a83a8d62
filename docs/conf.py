"""The documentation as a site: `make docs` builds it into docs/_build/html, without the network."""

import arbitree

project = "arbitree"
author = "The arbitree developers"
copyright = author
version = release = arbitree.__version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
]
exclude_patterns = ["_build"]
html_theme = "pydata_sphinx_theme"
html_title = "arbitree"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": False,
    "show_prev_next": False,
    # Not in the gallery: its stories are short, and their pictures and tables wide.
    "secondary_sidebar_items": {"[!g]**": ["page-toc"]},
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_context = {"default_mode": "auto"}

# Pages link to headings as GitHub does.
myst_heading_anchors = 4
# Notebooks are run by the tests; the site shows what they printed then.
nb_execution_mode = "off"

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # numpydoc's sections say the types
numpydoc_class_members_toctree = False
numpydoc_show_class_members = False
