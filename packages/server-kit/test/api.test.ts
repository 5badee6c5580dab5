import { expect, test } from 'vitest'
import * as door from '../src/index.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(door).sort()).toEqual([
    'HttpEndpointError',
    'RejectedError',
    'allScopes',
    'createAuthenticator',
    'createFileTokens',
    'createResourceServer',
    'defaultBounds',
    'metadataRoute',
    'openHttpEndpoint',
    'readBody',
    'scopesOf',
  ])
})
