/** `- [Title](url): what it is`, the shape that llms.txt has. */
const link =
  /\[([^[\]\n]{1,500})\]\( {0,9}<?([^\s()[\]<>]{1,2000})>?[^()[\]\n]{0,300}\)(?=([^\n]{0,1000}))/g

/** What llms.txt links to: each address once, without its fragment. */
export function llmsLinks(
  text: string,
  base: string,
): { url: string; title: string; about: string }[] {
  const links = new Map<string, { url: string; title: string; about: string }>()
  for (const [, title = '', target = '', rest = ''] of text.matchAll(link)) {
    if (!URL.canParse(target, base)) continue
    const url = new URL(target, base)
    url.hash = ''
    if (!/^https?:$/.test(url.protocol) || links.has(url.href)) continue
    const about = rest.replace(/^\s*[:–—-]\s*/, '').trim()
    links.set(url.href, { url: url.href, title: title.trim(), about })
  }
  return [...links.values()]
}
