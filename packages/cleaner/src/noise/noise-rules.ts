import { wordsOf } from '../tree/word-lists.ts'

const rulesIn = (list: string): readonly string[] => list.split(/\s+/)

/** Removed unless these are most of the page. */
export const contentsRules: readonly string[] = rulesIn(
  `#page-toc-src #table-of-contents #toc .contents.local .contents.topic .on-this-page .page-toc
  .table-of-contents .tableOfContents .theme-doc-toc-mobile .toc .toc-drawer`,
)

export const permalinkRules: readonly string[] = rulesIn(
  `.anchor-link .anchorjs-link .hash-link .header-anchor .headerlink .heading-anchor
  .permalink`,
)

/** Formulas as rendered by MathJax and MediaWiki, next to their source, which is kept. */
export const drawnFormulas: readonly string[] = rulesIn(
  `.MathJax .MathJax_Display .MathJax_Preview .MathJax_SVG .mwe-math-fallback-image-display
  .mwe-math-fallback-image-inline`,
)

/** Never content, for any generator. */
export const noiseRules: readonly string[] = [
  ...rulesIn(`audio canvas embed footer head iframe input link meta nav noscript object option
  script select style svg template textarea video`),
  // Navigation.
  ...rulesIn(
    `#breadcrumbs .bd-breadcrumbs .bd-sidebar-primary .bd-sidebar-secondary .breadcrumb .breadcrumbs
  .md-header .md-sidebar .md-tabs .nav-chapters .nav-wrapper .nav_table .navbar .navfooter
  .NAVFOOTER .navheader .NAVHEADER .navigation .pager .pagination .pagination-nav .prev-next .prev-next-area .prev-next-footer
  .related-pages .rst-footer-buttons .skip-link .skip-to-content .sphinxsidebar
  .theme-doc-breadcrumbs .wy-breadcrumbs .wy-nav-side div#footer`,
  ),
  ...permalinkRules,
  // Controls of code.
  ...rulesIn(
    `.btn-clipboard .btn-copy-code .clipboard-copy .code-btn-container .code-copy .copy-button
  .copybtn .copybutton .gutter .listing_lines .hljs-ln-numbers .line-number .line-numbers-rows
  span.ln .lineno .linenodiv .linenos .lnt .react-syntax-highlighter-line-number .rouge-gutter
  .toolbar-item`,
  ),
  ...drawnFormulas,
  // Links to the source.
  ...rulesIn('.sourceLink .srclink .viewcode-back .viewcode-link'),
  // Furniture of the page.
  ...rulesIn(
    `.article-footer .devsite-article-meta .devsite-banner .dropdown-menu .dropdown-panel
  #cookie-banner #main-col-footer #quick-feedback-no #quick-feedback-yes #searchbox #tools-panel
  .MCWebHelpFramesetLink .awsdocs-page-utilities .awsdocs-thumb-feedback .cookie-banner .cookie-consent
  .doc-cookie-banner .doc-feedback .edit-page-link .edit-this-page .feedback .feedback-container
  .md-content__button .page-feedback .sr-only .theme-edit-this-page .visually-hidden
  cloud-free-trial devsite-actions devsite-bookmark devsite-content-footer devsite-feature-tooltip devsite-feedback
  devsite-hats-survey devsite-page-rating devsite-thumb-rating devsite-toc`,
  ),
  // Shown on small screens only, where they repeat what others show next to the text.
  ...rulesIn(
    `.d-lg-none .d-md-none .d-xl-none .hidden-lg .lg:hidden .md:hidden .visible-phone .visible-xs
  .xl:hidden`,
  ),
]

export const noiseRoles: ReadonlySet<string> = wordsOf(
  'alertdialog banner complementary contentinfo dialog navigation search toolbar',
)

/** The whole text of links to their own position. */
export const permalinkTexts: ReadonlySet<string> = new Set(' # ¶ § 🔗 ∞ ⚓ \u200b'.split(' '))

/** The whole text of paragraphs and boxes about the page itself. */
export const furnitureTexts: RegExp =
  /^(?:was this (?:page|article|section|helpful|information)\b.{0,60}|is this (?:page |article )?(?:helpful|useful)\b.{0,60}|table of contents|(?:edit|improve) (?:this|the) page\b.{0,40}|suggest (?:an )?edits?.{0,40}|report (?:a problem|an issue|code block)\b.{0,40}|last (?:updated|modified|edited|reviewed)\b.{0,160}|copy(?: code| page| link| code block| to clipboard)?!?|copied!?|view (?:this )?page (?:on|source)\b.{0,60}|on this page|in this (?:article|page)|back to top|skip to (?:main )?content|rate this page|(?:thank you|thanks) for your feedback.{0,30}|(?:copyright )?© ?\d{4}.{0,60}|copyright ©.{0,70})$/i

/** Buttons that act on the page, wherever they stand; others are words of what surrounds them. */
export const controlTexts: RegExp =
  /^(?:\W*|(?:copy|copied|exit|expand|collapse|close|dismiss|jump|skip|show|hide|toggle|open|view|read|load|see) ?(?:all|code|details|example|fewer|full|less|link|menu|more|navigation|page|permalink|search|section|sidebar|snippet|source|this|to clipboard)?.{0,20}|menu|search|share|like|next|previous|prev|back|up|sign (?:in|up)|log (?:in|out)|login|logout|subscribe|accept|reject|feedback|yes|no|ok|okay|submit|cancel|edit|edit this page|print|download|play|run|run code|try it|try it out|ask ai|ask|explain|wrap|light|dark|auto|theme|top|permalink|link)$/i

/** Links to the Markdown of the same page. */
export const viewTexts: RegExp =
  /^view (?:a |as |this page as |page as )?markdown(?: version of (?:this|the) page)?$/i

/** Parts of the names of what opens below its title, and of the box around both. */
export const panelNames: RegExp =
  /(?:^|[-_])(?:acc|accordion|answer|collapse|collapsed|collapsible|disclosure|expand|expandable|expanded|faq|panel|reveal|spoiler|toggle)(?:$|[-_])/i

/** Parts of ids and classes of lists of the site's pages. */
export const listNames: RegExp =
  /(?:^|[\s_-])(?:bread|crumb|foot|head(?:er|bar)|menu|nav|next|pager|prev|related|share|side|social|tabs?\b|toc|toolbar|topbar)/i

/** Parts of ids and classes of short boxes that speak about the site. */
export const boxNames: RegExp =
  /(?:^|[\s_-])(?:advert|announce|banner|chat|consent|cookie|feedback|newsletter|promo|skip|sponsor|subscribe|survey)/i

/** What short boxes next to the content say about the site: the rule, and the form of the text. */
export const siteTexts: readonly (readonly [rule: string, text: RegExp])[] = [
  [
    'legal notice',
    /©|\bcopyright\b|\(c\) ?(?:19|20)\d\d|\ball rights reserved\b|\blicen[cs]ed under\b|\bcontent is available under\b|\btrademarks? of\b|\bterms of (?:use|service)\b|\bprivacy (?:policy|notice)\b/i,
  ],
  [
    'made by',
    /^(?:this (?:page|document|manual) (?:was|is) )?(?:built|created|generated|made|powered|produced|rendered) (?:by|from|on|using|with)\b.{0,120}$/i,
  ],
  [
    'edition',
    /^(?:date|from|last (?:change|edit|modif|review|update)\w*|release|updated?|version)\b:?.{0,80}$/i,
  ],
  ['edition', /^(?:\d{1,2}\.? )?\p{L}{3,9}\.? (?:\d{1,2},? )?\d{4}$|^\d{4}-\d\d-\d\d\b.{0,20}$/u],
  [
    'feedback',
    /^(?:edit|improve|rate|report|submit an?|submit|suggest)(?: an?)? (?:correction|change|edit|error|fix|issue|page|problem|this)\b|^(?:please,? )?help us\b|^(?:did you|have you)? ?(?:find|found|notice|see) (?:a|an|any) (?:bug|error|issue|mistake|problem|typo)\b/i,
  ],
  ['keys', /^keyboard shortcuts?\b/i],
  ['consent', /\b(?:uses?|using|manage|accept|these|our|all) cookies\b/i],
  ['search', /^(?:quick )?search\b.{0,40}$/i],
  ['pager', /^\W*(?:previous|next)\W*$/i],
  // Variables of templates, and settings of scripts.
  ['data', /^(?:__\w+__|[[\]{}\s]*\{\s*(?:"|&#34;).*[\]}]|\[\])$/s],
]
