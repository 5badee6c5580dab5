import type { HttpClient } from '../../fetch/undici-client.ts'
import { isObject, type Json, requestJson, unexpected, webUrl } from '../port/json.ts'
import { plainText } from '../port/plain-text.ts'
import type { Recommendation } from '../port/site.ts'

interface AskContext {
  recommendUrl: string
  session: string
  client: HttpClient
  signal: AbortSignal | undefined
}

/**
 * Recommendations for a page, in the order of the service: highly rated, read next, new, similar.
 */
export async function recommend(
  url: string,
  { recommendUrl, session, client, signal }: AskContext,
): Promise<Recommendation[]> {
  const endpoint = new URL(recommendUrl)
  endpoint.searchParams.set('path', url.split('#')[0] ?? url)
  endpoint.searchParams.set('session', session)
  const response = await requestJson(client, endpoint, { signal })
  if (!['highlyRated', 'journey', 'new', 'similar'].some((group) => isObject(response[group])))
    throw unexpected(recommendUrl, 'has no recommendations')
  return [
    ...itemsIn(response['highlyRated']).flatMap((item) =>
      pageOf('highly rated', item, url, plainText(item['abstract'])),
    ),
    ...itemsIn(response['journey']).flatMap((step) =>
      (Array.isArray(step['urls']) ? step['urls'] : []).filter(isObject).flatMap((item) => {
        const intent = plainText(step['intent'], 200)
        return pageOf('read next', item, url, intent === '' ? '' : `Intent: ${intent}`)
      }),
    ),
    ...itemsIn(response['new']).flatMap((item) => {
      const date = plainText(item['dateCreated'], 40)
      return pageOf('new', item, url, date === '' ? '' : `New content added on ${date}`)
    }),
    ...itemsIn(response['similar']).flatMap((item) =>
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
