/** What never belongs to the content, as sets that one walk can look up. */

export const noiseTags: ReadonlySet<string> = new Set([
  'audio',
  'button',
  'canvas',
  'dialog',
  'embed',
  'footer',
  'head',
  'iframe',
  'input',
  'link',
  'meta',
  'nav',
  'noscript',
  'object',
  'option',
  'script',
  'select',
  'style',
  'svg',
  'template',
  'textarea',
  'video',
])

export const noiseRoles: ReadonlySet<string> = new Set([
  'banner',
  'complementary',
  'contentinfo',
  'dialog',
  'navigation',
  'search',
  'toolbar',
])

const navigation = [
  'bd-breadcrumbs',
  'bd-sidebar-primary',
  'bd-sidebar-secondary',
  'breadcrumb',
  'breadcrumbs',
  'md-header',
  'md-sidebar',
  'md-tabs',
  'nav-chapters',
  'nav-wrapper',
  'navbar',
  'navfooter',
  'navheader',
  'navigation',
  'pager',
  'pagination',
  'pagination-nav',
  'prev-next',
  'prev-next-area',
  'prev-next-footer',
  'related-pages',
  'rst-footer-buttons',
  'skip-link',
  'skip-to-content',
  'sphinxsidebar',
  'theme-doc-breadcrumbs',
  'wy-breadcrumbs',
  'wy-nav-side',
]

const tablesOfContents = [
  'on-this-page',
  'page-toc',
  'table-of-contents',
  'tableOfContents',
  'theme-doc-toc-mobile',
  'toc',
  'toc-drawer',
]

const permalinks = [
  'anchor-link',
  'anchorjs-link',
  'hash-link',
  'header-anchor',
  'headerlink',
  'heading-anchor',
  'permalink',
]

const codeControls = [
  'btn-clipboard',
  'btn-copy-code',
  'clipboard-copy',
  'code-btn-container',
  'code-copy',
  'copy-button',
  'copybtn',
  'copybutton',
  'gutter',
  'hljs-ln-numbers',
  'line-number',
  'line-numbers-rows',
  'lineno',
  'linenodiv',
  'linenos',
  'lnt',
  'react-syntax-highlighter-line-number',
  'rouge-gutter',
]

const sourceLinks = ['viewcode-back', 'viewcode-link']

const pageFurniture = [
  'awsdocs-page-utilities',
  'awsdocs-thumb-feedback',
  'cookie-banner',
  'cookie-consent',
  'doc-cookie-banner',
  'doc-feedback',
  'edit-page-link',
  'edit-this-page',
  'feedback',
  'feedback-container',
  'md-content__button',
  'page-feedback',
  'sr-only',
  'theme-edit-this-page',
  'visually-hidden',
]

export const permalinkClasses: ReadonlySet<string> = new Set(permalinks)

export const noiseClasses: ReadonlySet<string> = new Set([
  ...navigation,
  ...tablesOfContents,
  ...permalinks,
  ...codeControls,
  ...sourceLinks,
  ...pageFurniture,
])

/** Each entry is noise when an element carries all of its classes. */
export const noiseClassPairs: readonly (readonly [string, string])[] = [
  ['contents', 'local'],
  ['contents', 'topic'],
]

export const noiseIds: ReadonlySet<string> = new Set([
  'breadcrumbs',
  'cookie-banner',
  'main-col-footer',
  'page-toc-src',
  'quick-feedback-no',
  'quick-feedback-yes',
  'searchbox',
  'table-of-contents',
  'tools-panel',
])

/** The whole visible text of a link that only names its own place on the page. */
export const permalinkTexts: ReadonlySet<string> = new Set([
  '',
  '#',
  '¶',
  '§',
  '🔗',
  '∞',
  '⚓',
  '\u200b',
])
