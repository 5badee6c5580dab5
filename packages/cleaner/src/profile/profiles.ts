/** What a generator of documentation has that others have not. */
export interface Profile {
  name: string
  /** Begins of `<meta name="generator">`, in lower case. */
  generators?: readonly string[]
  /** Names that all occur on the pages of this generator: `#id`, `.class`. */
  marks?: readonly string[]
  /** Where the content is, best first; rules as for noise. */
  content?: readonly string[]
  /** What stands for the `h1`, where a generator writes none. */
  title?: readonly string[]
  /** Noise beyond what is noise everywhere. */
  noise?: readonly string[]
}

/** The first that fits a page is taken. */
export const profiles: readonly Profile[] = [
  {
    name: 'rustdoc',
    generators: ['rustdoc'],
    content: ['#main-content'],
    noise: [
      '#copy-path',
      '.anchor',
      '.code-header-src',
      '.notable-traits',
      '.out-of-band',
      '.src',
      '.test-arrow',
      '.tooltip',
      'rustdoc-toolbar',
      'summary.hideme',
    ],
  },
  {
    name: 'mdBook',
    marks: ['#menu-bar', '#page-wrapper'],
    noise: ['.boring', '.buttons', '.fa', '.mobile-nav-chapters', '.nav-wide-wrapper'],
  },
  {
    name: 'MediaWiki',
    generators: ['mediawiki'],
    content: ['#mw-content-text'],
    noise: [
      '#catlinks',
      '#jump-to-nav',
      '.editsection',
      '.mw-editsection',
      '.mw-jump-link',
      '.navbox',
      '.printfooter',
      '.t-example-live-link',
      '.t-navbar',
    ],
  },
  {
    name: 'Doxygen',
    generators: ['doxygen'],
    content: ['#doc-content', '.contents'],
    title: ['div.title'],
    noise: [
      '#MSearchResultsWindow',
      '#MSearchSelectWindow',
      '#nav-path',
      '#side-nav',
      '#top',
      '.dyncontent',
      '.memtitle',
      '.summary',
      '.ttc',
    ],
  },
  {
    name: 'javadoc',
    generators: ['javadoc'],
    content: ['main'],
    noise: ['.copy', '.sub-nav', '.top-nav'],
  },
  {
    name: 'texinfo',
    generators: ['makeinfo', 'texi2any'],
    noise: [
      '.Contents_element',
      '.contents',
      '.contents-heading',
      '.copiable-anchor',
      'div.header',
      'div.nav-panel',
      'table.header',
    ],
  },
  { name: 'AsciiDoc', generators: ['asciidoc'], noise: ['#footer-text', '#header .details'] },
  { name: 'Node.js', marks: ['#apicontent', '#gtoc'], content: ['#apicontent'] },
  {
    name: 'Haddock',
    marks: ['#module-header', '#interface'],
    content: ['#content'],
    noise: ['#synopsis', '.instances .link', '.selflink', 'a.link', 'table.info'],
  },
  {
    name: 'qdoc',
    marks: ['.mainContent', '.sidebar'],
    content: ['.mainContent'],
    noise: ['.sidebar'],
  },
  {
    name: 'RDoc',
    marks: ['.method-detail', '#validator-badges'],
    noise: ['.method-click-advice', '.method-source-code'],
  },
  {
    name: 'Scribble',
    marks: ['.maincolumn', '.navsettop'],
    content: ['.main'],
    noise: ['.navsetbottom', '.navsettop', '.tocset', '.versionbox'],
  },
  {
    name: 'Nim',
    title: ['.title'],
    marks: ['#documentId', '#content'],
    content: ['#content'],
    noise: [
      '#global-links',
      '#searchInputDiv',
      '#tocRoot',
      '.link-seesrc',
      '.search-groupby',
      '.theme-switch-wrapper',
    ],
  },
  {
    name: 'erl_docgen',
    marks: ['#leftnav', '.innertube'],
    content: ['#content'],
    noise: ['.func-since', '.since'],
  },
  { name: 'SQLAlchemy', marks: ['#docs-body', '#docs-container'], content: ['#docs-body'] },
  { name: 'PlDoc', marks: ['.navigate'], noise: ['.navigate'] },
  {
    name: 'SQLite',
    marks: ['.nosearch'],
    noise: ['.fancy_toc', '.imgcontainer', '.nosearch'],
  },
  {
    name: 'Crystal',
    generators: ['crystal docs'],
    content: ['.main-content'],
    noise: ['.method-permalink', '.superclass-hierarchy', '.view-source'],
  },
  {
    name: 'gi-docgen',
    marks: ['#body-wrapper', '#btn-to-top'],
    content: ['#main'],
    noise: ['.anchor'],
  },
]
