/** Never content, for any generator. */

const tags =
  `audio button canvas dialog embed footer head iframe input link meta nav noscript object option
  script select style svg template textarea video`.split(/\s+/)

const navigation =
  `#breadcrumbs .bd-breadcrumbs .bd-sidebar-primary .bd-sidebar-secondary .breadcrumb .breadcrumbs
  .md-header .md-sidebar .md-tabs .nav-chapters .nav-wrapper .nav_table .navbar .navfooter
  .navheader .navigation .pager .pagination .pagination-nav .prev-next .prev-next-area .prev-next-footer
  .related-pages .rst-footer-buttons .skip-link .skip-to-content .sphinxsidebar
  .theme-doc-breadcrumbs .wy-breadcrumbs .wy-nav-side div#footer`.split(/\s+/)

/** Removed unless these are most of the page. */
export const contentsRules: readonly string[] =
  `#page-toc-src #table-of-contents #toc .contents.local .contents.topic .on-this-page .page-toc
  .table-of-contents .tableOfContents .theme-doc-toc-mobile .toc .toc-drawer`.split(/\s+/)

export const permalinkRules: readonly string[] =
  `.anchor-link .anchorjs-link .hash-link .header-anchor .headerlink .heading-anchor
  .permalink`.split(/\s+/)

const codeControls =
  `.btn-clipboard .btn-copy-code .clipboard-copy .code-btn-container .code-copy .copy-button
  .copybtn .copybutton .gutter .listing_lines .hljs-ln-numbers .line-number .line-numbers-rows
  span.ln .lineno .linenodiv .linenos .lnt .react-syntax-highlighter-line-number .rouge-gutter
  .toolbar-item`.split(/\s+/)

/** Formulas as rendered by MathJax and MediaWiki, next to their source, which is kept. */
export const drawnFormulas: readonly string[] =
  `.MathJax .MathJax_Display .MathJax_Preview .MathJax_SVG .mwe-math-fallback-image-display
  .mwe-math-fallback-image-inline`.split(/\s+/)

const sourceLinks = ['.sourceLink', '.srclink', '.viewcode-back', '.viewcode-link']

const pageFurniture =
  `.article-footer .devsite-article-meta .devsite-banner .dropdown-menu .dropdown-panel
  #cookie-banner #main-col-footer #quick-feedback-no #quick-feedback-yes #searchbox #tools-panel
  .MCWebHelpFramesetLink .awsdocs-page-utilities .awsdocs-thumb-feedback .cookie-banner .cookie-consent
  .doc-cookie-banner .doc-feedback .edit-page-link .edit-this-page .feedback .feedback-container
  .md-content__button .page-feedback .sr-only .theme-edit-this-page .visually-hidden
  cloud-free-trial devsite-actions devsite-bookmark devsite-content-footer devsite-feature-tooltip devsite-feedback
  devsite-hats-survey devsite-page-rating devsite-thumb-rating devsite-toc`.split(/\s+/)

/** Shown on small screens only, where they repeat what others show next to the text. */
const smallScreens =
  `.d-lg-none .d-md-none .d-xl-none .hidden-lg .lg:hidden .md:hidden .visible-phone .visible-xs
  .xl:hidden`.split(/\s+/)

export const noiseRules: readonly string[] = [
  ...tags,
  ...navigation,
  ...permalinkRules,
  ...codeControls,
  ...drawnFormulas,
  ...sourceLinks,
  ...pageFurniture,
  ...smallScreens,
]

export const noiseRoles: ReadonlySet<string> = new Set(
  'banner complementary contentinfo dialog navigation search toolbar'.split(' '),
)

/** The whole text of links to their own position. */
export const permalinkTexts: ReadonlySet<string> = new Set(' # ¶ § 🔗 ∞ ⚓ \u200b'.split(' '))

/** The whole text of paragraphs and boxes about the page itself. */
export const furnitureTexts: RegExp =
  /^(?:was this (?:page|article|section|helpful|information)\b.{0,60}|is this (?:page |article )?(?:helpful|useful)\b.{0,60}|table of contents|(?:edit|improve) (?:this|the) page\b.{0,40}|suggest (?:an )?edits?.{0,40}|report (?:a problem|an issue|code block)\b.{0,40}|last (?:updated|modified|edited|reviewed)\b.{0,60}|copy(?: code| page| link| code block| to clipboard)?!?|copied!?|view (?:this )?page (?:on|source)\b.{0,60}|on this page|in this (?:article|page)|back to top|skip to (?:main )?content|rate this page|(?:thank you|thanks) for your feedback.{0,30}|(?:copyright )?© ?\d{4}.{0,60}|copyright ©.{0,70})$/i

/** Links to the Markdown of the same page. */
export const viewTexts: RegExp =
  /^view (?:a |as |this page as |page as )?markdown(?: version of (?:this|the) page)?$/i
