import * as api from '@pith-mcp/ssrf-guard'
import { expect, test } from 'vitest'

test('the public surface is a decision', () => {
  expect(Object.keys(api).sort()).toEqual([
    'AddressRefused',
    'addressKind',
    'bareHost',
    'hostKind',
    'isLocalName',
    'pinnedLookup',
    'resolveAllowed',
    'resolveBySystem',
  ])
})
