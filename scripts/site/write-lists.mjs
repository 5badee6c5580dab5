import { escapeHtml } from './escape-html.mjs'

/** Lists of pages for programs, by file name. */
export function listsOf({ groups, pages, baseUrl }) {
  const at = (path) => new URL(path, baseUrl).href
  return {
    'llms.txt': llmsText(groups, pages[0], at),
    'llms-full.txt': pages.map((page) => fullText(page, baseUrl)).join('\n'),
    'search/search_index.json': JSON.stringify({
      config: { lang: ['en'] },
      docs: pages.flatMap(indexEntries),
    }),
    'sitemap.xml': `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ path }) => `<url><loc>${escapeHtml(at(`${path}.html`))}</loc></url>`).join('\n')}
</urlset>
`,
    'robots.txt': `User-agent: *\nAllow: /\n\nSitemap: ${at('sitemap.xml')}\n`,
  }
}

const llmsText = (groups, front, at) => `# Pith

> ${front.description}
${groups
  .map(
    ({ title, pages }) => `
## ${title}

${pages.map(({ path, title: name, description }) => `- [${name}](${at(`${path}.md`)}): ${description}`).join('\n')}
`,
  )
  .join('')}`

/** All pages in one text, each with its URL. */
const fullText = ({ markdownAt, path, title }, base) =>
  `# ${title}\nSource: ${new URL(`${path}.html`, base)}\n${markdownAt(base).replace(/^# .*\n/, '')}`

/** The format of MkDocs: the page with its introduction, then each section. */
const indexEntries = ({ path, title, sections }) =>
  sections.map((section) => ({
    location: `${path}.html${section.id ? `#${section.id}` : ''}`,
    title: section.id ? section.title : title,
    text: section.text,
  }))
