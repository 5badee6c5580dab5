import type { Profile } from './profile.ts'

/** Generators of sites from markup; themes come before their generator. */
export const siteGenerators: readonly Profile[] = [
  {
    name: 'mdBook',
    marks: ['#menu-bar', '#page-wrapper'],
    noise: '.boring, .buttons, .fa, .mobile-nav-chapters, .nav-wide-wrapper',
  },
  {
    name: 'mdBook',
    marks: ['#mdbook-menu-bar'],
    noise: '.boring, .buttons, .fa, .mobile-nav-chapters, .nav-wide-wrapper',
  },
  {
    name: 'texinfo',
    generators: ['makeinfo', 'texi2any'],
    noise: '.copiable-anchor, div.header, div.nav-panel, table.header',
    contents: ['.Contents_element', '.contents', '.contents-heading'],
  },
  { name: 'AsciiDoc', generators: ['asciidoc'], noise: '#footer-text, div.details' },
  {
    name: 'furo',
    marks: ['#furo-main-content'],
    content: ['#furo-main-content'],
    noise: `
      .back-to-top, .bottom-of-page, .content-icon-container, .mobile-header, .sidebar-drawer`,
  },
  {
    name: 'Read the Docs theme',
    marks: ['.wy-nav-content'],
    content: ['div.document'],
    noise: '.rst-other-versions, .rst-versions, .wy-nav-top',
  },
  {
    name: 'pydata theme',
    marks: ['#bd-docs-nav'],
    noise: '#bd-docs-nav, .toc-item',
  },
  {
    name: 'pydata theme',
    marks: ['.bd-main', '.bd-article'],
    content: ['.bd-article'],
    noise: `
      .bd-header, .bd-header-article, .header-article__inner, .navbar-icon-links,
      .sidebar-primary__section, .version-switcher__container`,
  },
  {
    name: 'Sphinx',
    marks: ['.sphinxsidebar', '.bodywrapper'],
    content: ['div.body'],
    noise: '.language-selection, .related, .viewcode-block',
  },
  {
    name: 'MkDocs Material',
    generators: ['mkdocs'],
    marks: ['.md-content'],
    content: ['.md-content__inner', '.md-content'],
    noise: `
      .md-annotation__index, .md-banner, .md-clipboard, .md-code__nav, .md-dialog, .md-feedback,
      .md-footer, .md-source, .md-source-file, .md-status, .md-top`,
  },
  { name: 'MkDocs', generators: ['mkdocs'] },
  {
    name: 'Docusaurus',
    generators: ['docusaurus'],
    content: ['.theme-doc-markdown', '.theme-api-markdown'],
    noise: `
      .menu, .theme-doc-footer, .theme-doc-toc-desktop, .theme-doc-version-badge,
      .theme-doc-version-banner, .theme-last-updated`,
  },
  {
    name: 'VitePress',
    generators: ['vitepress'],
    content: ['.vp-doc'],
    noise: `
      .VPDocAside, .VPDocFooter, .VPLocalNav, .VPNav, .VPSidebar, .VPSkipLink,
      .line-numbers-wrapper, button.copy, span.lang`,
  },
  {
    name: 'VuePress',
    generators: ['vuepress'],
    content: ['.theme-default-content', '.theme-hope-content'],
    noise: '.page-edit, .page-info, .page-meta, .page-nav, .vp-page-meta, .vp-page-nav',
  },
  {
    name: 'Nextra',
    marks: ['.nextra-content'],
    content: ['.nextra-content'],
    noise: `
      .nextra-breadcrumb, .nextra-copy-icon, .nextra-sidebar, .nextra-sidebar-container,
      .nextra-skip-nav, .nextra-toc, .subheading-anchor`,
  },
  {
    name: 'Fumadocs',
    marks: ['#nd-page'],
    content: ['#nd-page'],
    noise: '#nd-sidebar, #nd-subnav, #nd-toc, #nd-tocnav',
  },
  { name: 'GitBook', generators: ['gitbook'], content: ['main'] },
  {
    name: 'Mintlify',
    generators: ['mintlify'],
    content: ['#content-area'],
    noise: `
      #feedback-form, #navbar, #page-context-menu, #page-context-menu-button, #pagination, #sidebar,
      #table-of-contents, #table-of-contents-content, .eyebrow, .feedback-toolbar`,
  },
  {
    name: 'Starlight',
    generators: ['starlight'],
    content: ['.sl-markdown-content'],
    noise: `
      .mobile-toc, .pagination-links, .right-sidebar-container, .sl-anchor-link,
      mobile-starlight-toc, starlight-lang-select, starlight-menu-button, starlight-theme-select,
      starlight-toc`,
  },
  {
    name: 'Docsy',
    marks: ['.td-content'],
    content: ['.td-content'],
    noise: `
      .td-page-meta, .td-sidebar, .td-sidebar-toc, .td-toc, .taxonomy, .text-body-secondary.mt-5,
      .td-heading-self-link`,
  },
  {
    name: 'Hugo',
    generators: ['hugo'],
    noise: '.book-toc, .gdoc-page__footer, .page-meta, .post-meta',
  },
  {
    name: 'Just the Docs',
    marks: ['#main-content', '.side-bar'],
    content: ['#main-content'],
    noise: '.anchor-heading, .breadcrumb-nav, .side-bar, .site-footer',
  },
  {
    name: 'Jekyll',
    generators: ['jekyll'],
    noise: '.page__footer, .page__meta, .page__share, .post-meta, .site-footer',
  },
  { name: 'Publican', generators: ['publican'], noise: '#title, .docnav' },
  { name: 'pandoc', generators: ['pandoc'], noise: '#TOC, #toc-title' },
  { name: 'DocBook', generators: ['docbook'] },
]
