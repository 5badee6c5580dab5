import type { HttpClient } from '../../fetch/http-client.ts'
import { getJson, isObject, type Json, unexpected, webUrl } from '../port/json.ts'
import { plainText } from '../port/plain-text.ts'
import type { Recommendation } from '../port/site.ts'

interface Asked {
  recommendUrl: string
  session: string
  client: HttpClient
  signal: AbortSignal | undefined
}

/** Pages beside one, in the order of the service: highly rated, read next, new, similar. */
export async function recommend(
  url: string,
  { recommendUrl, session, client, signal }: Asked,
): Promise<Recommendation[]> {
  const asked = new URL(recommendUrl)
  asked.searchParams.set('path', url.split('#')[0] ?? url)
  asked.searchParams.set('session', session)
  const said = await getJson(client, asked, { signal })
  if (!['highlyRated', 'journey', 'new', 'similar'].some((group) => isObject(said[group])))
    throw unexpected(recommendUrl, 'has no recommendations')
  return [
    ...itemsIn(said['highlyRated']).flatMap((item) =>
      pageOf('highly rated', item, url, plainText(item['abstract'])),
    ),
    ...itemsIn(said['journey']).flatMap((step) =>
      (Array.isArray(step['urls']) ? step['urls'] : []).filter(isObject).flatMap((item) => {
        const intent = plainText(step['intent'], 200)
        return pageOf('read next', item, url, intent === '' ? '' : `Intent: ${intent}`)
      }),
    ),
    ...itemsIn(said['new']).flatMap((item) => {
      const date = plainText(item['dateCreated'], 40)
      return pageOf('new', item, url, date === '' ? '' : `New content added on ${date}`)
    }),
    ...itemsIn(said['similar']).flatMap((item) =>
      pageOf('similar', item, url, plainText(item['abstract'])),
    ),
  ]
}

const itemsIn = (group: unknown): Json[] =>
  isObject(group) && Array.isArray(group['items']) ? group['items'].filter(isObject) : []

function pageOf(
  group: Recommendation['group'],
  item: Json,
  base: string,
  about: string,
): Recommendation[] {
  const url = webUrl(item['url'], base)
  if (url === undefined) return []
  return [{ group, url, title: plainText(item['assetTitle'], 300), ...(about !== '' && { about }) }]
}
