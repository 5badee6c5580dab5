import { isTable, type Table } from '#base/table'
import type { ApiDocument } from './api-document.ts'

/**
 * The keys of each kind of object that are written to the page, and the kinds of what they have:
 * `kind` of an object, `kind[]` of each in a list or of one, `kind{}` of each in a map.
 */
const kinds: Readonly<Record<string, string>> = {
  document: `openapi swagger host basePath schemes consumes produces security info:info servers:server[]
    paths:path{} webhooks:path{} tags:tag[] externalDocs:docs components:components
    definitions:schema{} parameters:parameter{} responses:response{} securityDefinitions:scheme{}`,
  info: 'title version summary description termsOfService contact:contact license:contact',
  contact: 'name email url identifier',
  docs: 'url description',
  server: 'url description variables:variable{}',
  variable: 'default enum description',
  tag: 'name summary description externalDocs:docs',
  components: `schemas:schema{} responses:response{} parameters:parameter{} requestBodies:body{}
    headers:parameter{} securitySchemes:scheme{} links:link{} callbacks:callback{} pathItems:path{} examples`,
  scheme: `type description name in scheme bearerFormat openIdConnectUrl flow flows:flow{} authorizationUrl
    tokenUrl refreshUrl scopes`,
  flow: 'authorizationUrl deviceAuthorizationUrl tokenUrl refreshUrl scopes',
  path: `$ref summary description parameters:parameter[] servers:server[] get:operation put:operation
    post:operation delete:operation options:operation head:operation patch:operation trace:operation
    query:operation`,
  operation: `tags summary description operationId deprecated security consumes produces schemes
    externalDocs:docs servers:server[] parameters:parameter[] requestBody:body responses:response{}
    callbacks:callback{}`,
  callback: '{}:path',
  parameter: `$ref name in description required deprecated style explode allowEmptyValue allowReserved
    schema:schema content:media{} example examples type format items:schema default enum minimum maximum
    exclusiveMinimum exclusiveMaximum minLength maxLength pattern minItems maxItems uniqueItems multipleOf
    collectionFormat`,
  body: '$ref description required content:media{}',
  media: 'schema:schema example examples encoding',
  response: `$ref summary description headers:parameter{} content:media{} links:link{} schema:schema examples`,
  link: '$ref operationId operationRef parameters requestBody description',
  schema: `$ref type format title description enum const nullable default example examples deprecated
    readOnly writeOnly minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength
    pattern minItems maxItems uniqueItems minContains maxContains minProperties maxProperties required
    contentEncoding contentMediaType $comment dependentRequired discriminator externalDocs:docs
    properties:schema{} patternProperties:schema{} additionalProperties:schema propertyNames:schema
    unevaluatedProperties:schema unevaluatedItems:schema items:schema prefixItems:schema[]
    contains:schema contentSchema:schema allOf:schema[] anyOf:schema[] oneOf:schema[] not:schema
    if:schema then:schema else:schema dependentSchemas:schema{}`,
}

/** By kind, the kind of what each key has; empty for a value. */
const grammar = new Map(
  Object.entries(kinds).map(([kind, keys]) => [
    kind,
    new Map(
      keys.split(/\s+/).map((key) => {
        const [name = '', child = ''] = key.split(':')
        return [name, child]
      }),
    ),
  ]),
)

/** Keys that are counted by name. */
const maxNamed = 8
const maxDepth = 64

/** Count the keys of a description that are not written to its page. */
export function countUnread(api: ApiDocument): void {
  const named = new Set<string>()
  const seen = new Set<Table>()
  visit(api.root, 'document', 0)

  function visit(value: unknown, kind: string, depth: number): void {
    if (!isTable(value) || seen.has(value) || depth > maxDepth || !api.mayContinue()) return
    seen.add(value)
    const keys = grammar.get(kind)
    for (const [key, part] of Object.entries(value)) {
      const child = keys?.get(key) ?? keys?.get('{}')
      if (child) visitAll(part, child, depth + 1)
      else if (child === '') continue
      else if (key.startsWith('x-')) api.counts.add('extension', 1)
      else count(`\`${key}\``)
    }
  }

  function visitAll(part: unknown, child: string, depth: number): void {
    const kind = child.replace(/\W+$/, '')
    const isMap = child.endsWith('{}')
    for (const each of isMap && isTable(part) ? Object.values(part) : [part].flat())
      visit(each, kind, depth)
  }

  function count(key: string): void {
    if (named.size < maxNamed) named.add(key)
    api.counts.add(named.has(key) ? `value of the key ${key}` : 'value of other keys', 1)
  }
}
