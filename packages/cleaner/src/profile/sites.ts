import type { Profile } from './profile.ts'

/** Sites and projects with their own page formats. */
export const sites: readonly Profile[] = [
  {
    name: 'MediaWiki',
    generators: ['mediawiki'],
    content: ['#mw-content-text'],
    noise: `
      #catlinks, #jump-to-nav, .editsection, .mw-editsection, .mw-jump-link, .navbox, .printfooter,
      .t-example-live-link, .t-navbar`,
  },
  { name: 'Node.js', marks: ['#apicontent', '#gtoc'], content: ['#apicontent'] },
  { name: 'SQLAlchemy', marks: ['#docs-body', '#docs-container'], content: ['#docs-body'] },
  { name: 'SQLite', marks: ['.nosearch'], noise: '.fancy_toc, .imgcontainer, .nosearch' },
  { name: 'PostgreSQL', marks: ['#docContent', '#docComments'], content: ['#docContent'] },
  {
    name: 'MDN',
    marks: ['.layout__content'],
    content: ['#content'],
    noise: `
      .article-actions-container, .bc-legend, .document-toc-container,
      .example-header, .localized-content-note, .metadata-content-container, .sidebar-container`,
  },
  {
    name: 'AWS',
    marks: ['#main-col-body'],
    content: ['#main-col-body'],
    noise: `
      .awsdocs-page-banner, .awsdocs-page-header-container, .highlights, .next-link,
      .page-loading-indicator, .prev-link, awsdocs-breadcrumb-container,
      awsdocs-cookie-consent-container, awsdocs-copyright, awsdocs-feedback-container,
      awsdocs-filter-selector, awsdocs-language-banner, awsdocs-page-footer, awsdocs-page-header,
      awsdocs-thumb-feedback`,
  },
  {
    name: 'Microsoft Learn',
    marks: ['#article-header', '#article-metadata'],
    noise: `
      #article-header, #article-metadata, #article-metadata-footer,
      #ms--additional-resources-mobile, #site-user-feedback-footer`,
  },
  {
    name: 'Google developers',
    marks: ['.devsite-main-content'],
    content: ['.devsite-article-body'],
    noise: '.devsite-badge-awarder, .devsite-page-title-meta, .nocontent',
  },
]
