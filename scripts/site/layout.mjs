import { repositoryUrl } from './addresses.mjs'
import { escapeHtml } from './escape-html.mjs'
import { wayTo } from './resolve-links.mjs'

/**
 * A page of the site as HTML. `toRoot` is the path to the root of the site: relative, except for the
 * error page.
 */
export function layout(page, { groups, neighbours = [], moved = [], version, toRoot, url }) {
  const { title, description, body, path, sections, source } = page
  const name = path.split('/').at(-1)
  const heading = path === 'index' ? title : `${title} · Pith`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; base-uri 'none'; form-action 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(heading)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${toRoot}icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${toRoot}site.css">
<script src="${toRoot}theme.js"></script>
<script type="module" src="${toRoot}site.js"></script>
${source ? `<link rel="canonical" href="${url}">\n<link rel="alternate" type="text/markdown" href="${name}.md">` : '<meta name="robots" content="noindex">'}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="${toRoot}index.html"><img src="${toRoot}icon.svg" alt="" width="22" height="22">Pith</a>
<a class="version" href="${toRoot}start/upgrade.html">${escapeHtml(version)}</a>
<div class="search" role="search">
<input type="search" placeholder="Search" aria-label="Search the manual" autocomplete="off" spellcheck="false" data-index="${toRoot}search/search_index.json">
<kbd aria-hidden="true">/</kbd>
</div>
<select class="theme" aria-label="Theme">
<option value="">◐ System</option>
<option value="light">○ Light</option>
<option value="dark">● Dark</option>
</select>
<a class="source" href="${repositoryUrl}">GitHub</a>
<button class="menu" type="button" popovertarget="menu">Menu</button>
</header>
<nav id="menu" class="pages" popover aria-label="Manual">
${groups.map((group) => menuGroup(group, path, toRoot)).join('\n')}
</nav>
<main id="main">
<article>
${body}
</article>
${movedSections(page, moved)}
${source ? foot(page, name, neighbours) : ''}
</main>
${contents(sections)}
<footer class="foot"><p>Pith is free software under the MIT licence. <a href="${repositoryUrl}">Source</a> · Version: ${escapeHtml(version)} · <a href="${toRoot}llms.txt">llms.txt</a></p></footer>
</body>
</html>
`
}

function menuGroup({ title, pages, isClosed }, path, toRoot) {
  const items = pages.map((page) => {
    const current = page.path === path ? ' aria-current="page"' : ''
    return `<li><a href="${toRoot}${page.path}.html"${current}>${escapeHtml(page.title)}</a></li>`
  })
  const list = `<ul>\n${items.join('\n')}\n</ul>`
  if (!isClosed) return `<p>${escapeHtml(title)}</p>\n${list}`
  const open = pages.some((page) => page.path === path) ? ' open' : ''
  return `<details${open}>\n<summary>${escapeHtml(title)}</summary>\n${list}\n</details>`
}

/** Anchors of sections that are on another page now. Only the one that is asked for is visible. */
function movedSections(page, moved) {
  if (moved.length === 0) return ''
  const items = moved.map(({ id, path, hash, title }) => {
    const href = wayTo(page, `${path}.html`) + hash
    return `<li id="${escapeHtml(id)}">This section is on another page: <a href="${escapeHtml(href)}">${escapeHtml(title)}</a></li>`
  })
  return `<ul class="moved">\n${items.join('\n')}\n</ul>`
}

/** Headings of level two and three, if there are several. */
function contents(sections) {
  const shown = sections.filter(({ level, id }) => id && (level === 2 || level === 3))
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ id, title, level }) =>
      `<li class="level-${level}"><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`,
  )
  return `<nav class="contents" aria-labelledby="contents">
<p id="contents">On this page</p>
<ul>
${items.join('\n')}
</ul>
</nav>`
}

function foot(page, name, [previous, next]) {
  const link = (other, rel, word) =>
    other
      ? `<a rel="${rel}" href="${wayTo(page, `${other.path}.html`)}"><span>${word}</span> ${escapeHtml(other.title)}</a>`
      : ''
  return `<nav class="neighbours" aria-label="Pages before and after">
${link(previous, 'prev', 'Previous')}
${link(next, 'next', 'Next')}
</nav>
<p class="about"><a href="${name}.md">This page as Markdown</a> · <a href="${repositoryUrl}/edit/main/${page.source}">Edit this page</a></p>`
}
