/** `- [Title](url): what it is`, the shape that llms.txt has. */
const link =
  /\[([^[\]\n]{1,500})\]\( {0,9}<?([^\s()[\]<>]{1,2000})(?=[\s>)])>?(?:\s[^()[\]\n]{0,300})?\)/g

const longestAbout = 500

/** What llms.txt links to: each address once, without its fragment. */
export function llmsLinks(
  text: string,
  base: string,
): { url: string; title: string; about: string }[] {
  const links = new Map<string, { url: string; title: string; about: string }>()
  for (const { index, 0: whole, 1: title = '', 2: target = '' } of text.matchAll(link)) {
    if (!URL.canParse(target, base)) continue
    const url = new URL(target, base)
    url.hash = ''
    if (!/^https?:$/.test(url.protocol) || links.has(url.href)) continue
    const end = index + whole.length
    const [rest = ''] = text.slice(end, end + longestAbout).split('\n', 1)
    const about = rest.replace(/^\s*[:–—-]\s*/, '').trim()
    links.set(url.href, { url: url.href, title: title.trim(), about })
  }
  return [...links.values()]
}
