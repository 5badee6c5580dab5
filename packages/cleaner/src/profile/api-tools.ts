import type { Profile } from './profile.ts'

/** Generators of API references from source code. */
export const apiTools: readonly Profile[] = [
  {
    name: 'rustdoc',
    generators: ['rustdoc'],
    content: ['#main-content'],
    apart: ['.stab'],
    noise: `
      #copy-path, .anchor, .code-header-src, .notable-traits, .out-of-band, .src, .test-arrow,
      .tooltip, rustdoc-toolbar, summary.hideme`,
  },
  {
    name: 'Doxygen',
    generators: ['doxygen'],
    content: ['#doc-content', '.contents'],
    title: ['div.title'],
    noise: `
      #MSearchResultsWindow, #MSearchSelectWindow, #nav-path, #side-nav, #top, .dyncontent,
      .memtitle, .summary, .ttc`,
  },
  {
    name: 'javadoc',
    generators: ['javadoc'],
    content: ['main'],
    noise: '.copy, .sub-nav, .top-nav',
  },
  {
    name: 'Haddock',
    marks: ['#module-header', '#interface'],
    content: ['#content'],
    noise: '#synopsis, .selflink, a.link, table.info',
  },
  {
    name: 'qdoc',
    marks: ['.mainContent', '.sidebar'],
    content: ['.mainContent'],
    noise: '.sidebar',
  },
  {
    name: 'pydoctor',
    generators: ['pydoctor'],
    headings: ['.functionHeader'],
    noise: '.headerLink',
  },
  {
    name: 'RDoc',
    marks: ['.method-detail', '#validator-badges'],
    noise: '.method-click-advice, .method-source-code',
  },
  {
    name: 'Scribble',
    marks: ['.maincolumn', '.navsettop'],
    content: ['.main'],
    noise: '.navsetbottom, .navsettop, .tocset, .versionbox',
  },
  {
    name: 'Nim',
    title: ['.title'],
    marks: ['#documentId', '#content'],
    content: ['#content'],
    noise: `
      #global-links, #searchInputDiv, #tocRoot, .link-seesrc, .search-groupby, .theme-switch-wrapper`,
  },
  {
    name: 'erl_docgen',
    marks: ['#leftnav', '.innertube'],
    content: ['#content'],
    noise: '.func-since, .since',
  },
  { name: 'PlDoc', marks: ['.navigate'], noise: '.navigate' },
  {
    name: 'Crystal',
    generators: ['crystal docs'],
    content: ['.main-content'],
    noise: '.method-permalink, .superclass-hierarchy, .view-source',
  },
  { name: 'gi-docgen', marks: ['#main', '#btn-to-top'], content: ['#main'], noise: '.anchor' },
  {
    name: 'TypeDoc',
    marks: ['.tsd-page-title'],
    content: ['div.col-content', 'div.col-8'],
    noise: `
      .tsd-anchor-icon, .tsd-breadcrumb, .tsd-filter, .tsd-generator, .tsd-index-panel,
      .tsd-navigation, .tsd-page-toolbar, .tsd-sources, .tsd-widget`,
  },
  {
    name: 'JSDoc',
    marks: ['#main', '.page-title', '.container-overview'],
    content: ['#main'],
    noise: '.tag-source',
  },
  {
    name: 'YARD',
    marks: ['#content', '#menu', '.nav_wrap'],
    content: ['#content'],
    noise: '#menu, #search, .nav_wrap, .showSource, .source_code, .summary_toggle, .toggleSource',
  },
  { name: 'gtk-doc', generators: ['gtk-doc'], noise: '#shortcuts, .shortcuts, table.navigation' },
]
