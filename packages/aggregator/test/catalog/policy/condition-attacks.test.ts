import { describe, expect, test } from 'vitest'
import type {
  Condition,
  PermissionSettings,
} from '../../../../servers/src/config/permission-settings.ts'
import type { JsonObject } from '../../../../servers/src/protocol/message.ts'
import { valuesOfSchema } from '../../../src/catalog/policy/default-values.ts'
import { ada, createFiles, openAttacked } from '../../call/approval/attacked.ts'
import { text } from '../../fake-servers.ts'

/** A tool that takes anything, in mode full: nothing is repaired or validated there. */
const anything = () => createFiles({ tools: [{ name: 'any', run: () => text('did it') }] })

async function arrivalsOf(permissions: PermissionSettings, args: unknown): Promise<unknown[]> {
  const { clientOf, arrivals } = openAttacked(permissions, { files: anything() })
  const params = { name: 'files__any', arguments: args }
  await clientOf({ ...ada, mode: 'full' })('tools/call', params).catch(() => {})
  return arrivals()
}

/** Values that a server may read as what the condition means, though they are written differently. */
const spellings: readonly [condition: Condition, values: readonly unknown[]][] = [
  [
    { below: '/etc' },
    [
      [
        '/etc',
        '/etc/passwd',
        '//etc/passwd',
        '/etc/./passwd',
        '/srv/../etc/passwd',
        '/srv/..//etc',
      ],
      ['/etc%2Fx', '/%65tc/passwd', '/srv/%2e%2e/etc/x', '/srv/%252e%252e/etc/x'],
      [
        '/srv/%zz/%2e%2e/%2e%2e/etc/x',
        '\\etc\\passwd',
        '/srv\\..\\etc\\x',
        'etc/passwd',
        '../etc/x',
      ],
      ['file:///etc/passwd', 'FILE://localhost/etc/passwd', 'file:/etc/passwd', 'file:etc/passwd'],
      ['/etc\0/x', '/srv%00/../../etc', ' /etc/passwd', '/ETC/passwd', '/e\u200ctc/passwd', '~/x'],
      [['/etc/passwd'], { path: '/etc/passwd' }, `/${'x/'.repeat(6_000)}`],
      [
        '/\u0435tc/x',
        '/%252565tc/x',
        '/usr/\u2215..\u2215etc',
        '/etc;x',
        '/srv/..;/etc',
        '"/etc/x"',
      ],
      [
        '/srv/..%c0%af..%c0%afetc',
        '/srv/..%e0%80%afetc',
        '/proc/self/root/etc/x',
        '/private/etc/x',
      ],
      ['/srv/..%5c..%5cetc', '/tmp%5c..%5cetc', '/e\ufe0ftc/x', '/e\u034ftc', '/\u0415TC/x'],
      ['/srv/\uff0e\uff0e/etc', '/srv/\u2024\u2024/etc', '/srv/x\n/etc/y', '/srv/\u202e../etc'],
    ].flat(),
  ],
  [
    { below: 'C:\\Windows' },
    [
      [
        'C:\\Windows\\x',
        'c:/windows/x',
        'C:\\srv\\..\\Windows',
        'file:///C:/Windows/x',
        '/C:/Windows',
      ],
      ['\\\\?\\C:\\Windows\\x', '\\\\.\\C:\\Windows\\x', '\\Windows\\x', '//localhost/c$/Windows'],
      ['C:Windows', 'C:\\Windows.\\x', 'C:\\Windows \\x', 'C:\\WINDOW~1\\x', 'C:\\Windows::$DATA'],
    ].flat(),
  ],
  [
    { prefix: 'rm ' },
    [
      'rm -rf',
      'RM -rf',
      ' rm -rf',
      '\trm -rf',
      '\u200brm -rf',
      'ｒｍ -rf',
      ['rm', '-rf'],
      'ls\0rm ',
    ],
  ],
  [
    { equals: 'main' },
    [
      ['main', 'MAIN', ' main', 'main\n', '\uff4dain', 'ma\u00adin', ['main'], {}],
      ['m\u0430in', '"main"', '%6dain', 'refs/heads/main', 'heads/main', '+main', 'HEAD:main'],
      ['feature/x:main', '+refs/heads/x:refs/heads/main', '["main"]', '{"name":"main"}', 'main\0x'],
      ['M\u0410IN', 'm\u034fain', 'ma\ufe0fin', '\u3164main'],
    ].flat(),
  ],
  [{ equals: 1_000 }, ['1_000', '1,000', '01750', '\u0661\u0660\u0660\u0660']],
  [{ equals: 1 }, [1, '1', '1.0', '01', '1e0', '0x1', '1abc', true, [1]]],
  [true, [true, 'true', 'TRUE', 1, '1', 'yes', 'on', 'no', [true]]],
  [{ equals: null }, [null, 'null', Number.POSITIVE_INFINITY]],
  [{ min: 1_000 }, [1_000, 2e9, '1000', '1e3', '0x3e8', '1,000', '１０００', [1_000], true]],
  [
    { matches: '^main$' },
    ['Main', ' main', 'main\n', '\uff4dain', 'main\u200b', 'm\u0430in', 'HEAD:refs/heads/main'],
  ],
  [
    { matches: 'drop' },
    ['DROP x', 'DR\u00adOP x', '\uff24\uff32\uff2f\uff30 x', '%44ROP x', '%2544ROP x'],
  ],
  [
    { prefix: 'http://169.254.169.254/' },
    [
      ['http://169.254.169.254:80/', 'http://169.254.169.254', 'https://169.254.169.254/x'],
      [
        'http://2852039166/',
        'http://0xa9fea9fe/',
        'http://0251.0376.0251.0376/',
        '//169.254.169.254/',
      ],
      ['http:\\\\169.254.169.254/', 'http:///169.254.169.254/', 'http://169.254.169.254\u3002/'],
      ['http://x@169.254.169.254/', 'http://[::ffff:169.254.169.254]/', '169.254.169.254/latest'],
    ].flat(),
  ],
  [
    { host: '169.254.0.0/16' },
    [
      [
        'http://169.254.169.254/',
        'http://169.254.169.254:8080/x',
        'ftp://169.254.1.1',
        'wss://169.254.1.1',
      ],
      [
        'http://2852039166/',
        'http://0xa9fea9fe',
        'http://169.16689662',
        'http://[::ffff:a9fe:a9fe]/',
      ],
      [
        'http://[64:ff9b::a9fe:a9fe]/',
        '//169.254.169.254',
        '169.254.169.254/latest',
        ' http:\\169.254.1.1',
      ],
      [
        'http://good.example\\@169.254.1.1/',
        'http://169.254.1.1#@good.example/',
        'http%3a//169.254.1.1',
      ],
      [
        'http://169.254.1.1.',
        'http://169\u3002254.1.1',
        'http://\uff11\uff16\uff19.254.1.1',
        [],
        'http://[x',
      ],
      ['ssh://git@169.254.1.1/x', 'http://169.254.1.1;good.example/', 'http://[2002:a9fe:a9fe::]/'],
    ].flat(),
  ],
  [
    { host: ['*.corp.example', 'b\u00fccher.example'] },
    [
      ['https://a.corp.example/', 'https://a.b.corp.example:1/x', 'https://A.CORP.EXAMPLE./'],
      [
        'https://xn--bcher-kva.example/',
        'https://BU\u0308CHER.example',
        'https://u:p@a.corp.example/',
      ],
    ].flat(),
  ],
  [{ host: '10.0.0.0/8' }, ['http://010.0.0.1/', 'http://10.0.0.1', '10.1.2.3:80/x']],
  [
    { host: 'https://a.example' },
    ['a.example', '//a.example', 'a.example:443', 'https://a.example'],
  ],
  [
    { prefix: 'https://a.example/admin' },
    ['https://a.example//admin', 'https://a.example/;/admin', 'https://a.example/x/..;/admin'],
  ],
  [{ absent: true }, [null, '', ' ', 'null', [], {}]],
  [{ matches: '^rm' }, ['rm', ['rm'], { rm: 1 }, 5, 'x'.repeat(10_001), 'ls\0rm']],
  [{ not: { equals: 'dev' } }, ['main', 'DEV', ['dev'], null]],
]

describe.each(spellings)(
  'what %j denies or asks about, it does in any spelling',
  (condition, values) => {
    test.each(values.map((value) => [value]))('%j', async (value) => {
      const rules = [{ tools: ['files.any'], params: { a: condition } }]
      expect(await arrivalsOf({ deny: rules }, { a: value })).toEqual([])
      expect(await arrivalsOf({ ask: rules }, { a: value })).toEqual([])
    })
  },
)

/** Places of a value that a server may find though the path of the condition does not lead there. */
const places: readonly [path: string, args: readonly unknown[]][] = [
  [
    'a',
    [{ A: 'x' }, { a: 'ok', A: 'x' }, { 'a ': 'x' }, { ａ: 'x' }, [{ a: 'x' }], ['x'], '{"a":"x"}'],
  ],
  ['a[0].b', [{ a: { b: 'x' } }, { a: [{ B: 'x' }] }]],
  ['a_path', [{ aPath: 'x' }, { 'a-path': 'x' }, JSON.parse('{"__proto__":{"a_path":"x"}}')]],
  ['a.b.c', [{ 'a.b.c': 'x' }, { a: { 'b.c': 'x' } }, { 'a[b][c]': 'x' }, { a_b: { c: 'x' } }]],
  ['a.b', [{ a: '{"b":"x"}' }, { a: [{ b: 'x' }] }, { a: { B: 'x' } }, { A: { b: 'x' } }]],
  ['a[*]', [{ a: 'x' }, { a: { 0: 'x' } }, { a: ['ok', 'x'] }, { a: '["x"]' }, { a: [['x']] }]],
  ['a[*].b', [{ a: { b: 'x' } }, { a: ['{"b":"x"}'] }, { a: [{ b: 'ok' }, { b: 'x' }] }]],
]

describe.each(places)('what is denied at %s is denied where it may be read from', (path, all) => {
  test.each(all.map((args) => [args]))('%j', async (args) => {
    const rules = [{ tools: ['files.any'], params: { [path]: 'x' } }]
    expect(await arrivalsOf({ deny: rules }, args)).toEqual([])
    const allow = [{ tools: ['files.any'], params: { [path]: { not: { equals: 'x' } } } }]
    expect(await arrivalsOf({ allow, default: 'ask' }, args)).toEqual([])
  })
})

/** Values that an allowance must not cover. */
const outside: readonly [condition: Condition, values: readonly unknown[]][] = [
  [
    { below: '/srv' },
    [
      ['/srv2', '/srv/../etc', '/srv/%2e%2e/etc', '/srv/%252e%252e/etc', '/srv\\..\\etc', 'srv/x'],
      [
        '/srv/%zz/%2e%2e/%2e%2e/etc',
        '/srv/x%00',
        '/srv/\0',
        '/SRV/x',
        ['/srv/x'],
        { x: '/srv' },
        null,
      ],
    ].flat(),
  ],
  [
    { below: '/srv' },
    [
      '//srv/x',
      '/srv/..;/x',
      '/srv/x\n/etc',
      '/srv/\uff0e\uff0e/x',
      '/srv/..%c0%afx',
      '/srv/\u202e../..',
    ],
  ],
  [
    { host: 'docs.example' },
    [
      [
        'https://docs.example.evil/',
        'https://evil/docs.example',
        'https://docs.example@evil/',
        'docs.example',
      ],
      [
        'https://evil\\@docs.example/',
        'https://docs.example#@evil/',
        'https://d\u043ecs.example/',
        'https:docs.example',
      ],
    ].flat(),
  ],
  [
    { host: 'https://*.docs.example' },
    ['https://evil;.docs.example/', 'https://evil`.docs.example/'],
  ],
  [{ host: 'https://docs.example' }, ['http://docs.example/', 'https://docs.example:444.evil/']],
  [
    { matches: '^/srv/pub/' },
    ['/srv/pub/../x', '/srv/pub/%2e%2e/x', '/srv/pub/..\\x', '/srv/pub/\uff0e\uff0e/x'],
  ],
  [
    { below: 'C:\\srv' },
    ['C:\\srv\\.. \\x', 'C:\\srv\\x:y', '/C:/srv/../x', '/srv/x', '\\\\?\\C:\\srv\\..\\x'],
  ],
  [
    { prefix: 'https://docs.example/a/' },
    [
      [
        'https://docs.example/a/../b',
        'https://docs.example/a/.\t./b',
        'https://docs.example/a/%2e./b',
      ],
      [
        'https://docs.example/a/..\\b',
        'https://docs.example/a/x%2f..%2f../b',
        'HTTPS://docs.example/a/',
      ],
      ['https://docs.example/a/%252e%252e/b', 'https://docs.example/a/．．/b', [], 5],
    ].flat(),
  ],
  [
    { prefix: 'https://docs.example/x/' },
    [
      'https://docs.example/x/%c0%ae%c0%ae/y',
      'https://docs.example/x/..%20/y',
      'https://docs.example/x/\nA: b',
    ],
  ],
  [{ prefix: '/srv/.' }, ['/srv/../etc', '/srv/.%2e/etc']],
  [{ prefix: '/srv/data' }, ['/srv/data/../../etc', '/srv/data/..', '/srv/data\0']],
  [{ equals: ['dev', 'test'] }, ['DEV', 'dev ', 'main', ['dev'], ['dev', 'main'], null]],
  [{ max: 10 }, ['5', '1e1', 11, [5], null, Number.NEGATIVE_INFINITY, '']],
  [{ matches: '^[a-z]+$' }, ['dev\n--force', 'dev\n', 'dev ', ['dev'], 5, 'x'.repeat(10_001)]],
]

describe.each(outside)('what %j allows, it allows in one spelling', (condition, values) => {
  const allow = [{ tools: ['files.any'], params: { a: condition } }]
  test.each(values.map((value) => [value]))('%j', async (value) => {
    expect(await arrivalsOf({ allow, default: 'ask' }, { a: value })).toEqual([])
  })
  test('not without a value', async () => {
    expect(await arrivalsOf({ allow, default: 'deny' }, {})).toEqual([])
    expect(await arrivalsOf({ allow, default: 'deny' }, undefined)).toEqual([])
  })
})

test('what no condition means passes, and what is allowed does', async () => {
  const passes: readonly [Condition, unknown][] = [
    [{ below: '/etc' }, '/srv/etc/x'],
    [{ below: '/srv/é' }, '/srv/%20e/x'],
    [{ below: 'C:\\Windows' }, 'C:\\srv\\x.txt'],
    [{ below: 'C:\\Windows' }, '/srv/x'],
    [{ below: '/etc' }, 'C:\\srv\\x.txt'],
    [{ prefix: 'rm ' }, 'ls ../x'],
    [{ equals: 1 }, '10'],
    [true, false],
    [true, null],
    [{ min: 1_000 }, '999'],
    [{ below: '/etc' }, '/srv/\u043c\u043e\u0441\u043a\u0432\u0430/\u00e9'],
    [{ matches: '^main$' }, 'feature/main'],
    [{ prefix: 'http://169.254.169.254/' }, 'http://169.254.169.25/'],
    [{ host: '*.corp.example' }, 'https://corp.example/'],
    [{ host: '169.254.0.0/16' }, 'https://docs.example/169.254.1.1'],
    [{ host: 'a.example:8443' }, 'https://a.example/'],
    [{ equals: 'main' }, 'mainline'],
    [{ equals: 'main' }, 'refs/tags/main'],
    [{ matches: 'drop' }, 'a hard\nrope'],
    [{ host: 'evil.example' }, 'git@github.example:a/b.git'],
    [{ host: 'evil.example' }, 'data:text/plain,hello'],
    [{ host: 'evil.example' }, 'urn:isbn:1'],
    [{ below: '/etc' }, '/srv/Cafe\u0301 9.41.00\u202fAM.png'],
  ]
  for (const [condition, a] of passes) {
    const rules = [{ params: { a: condition } }]
    expect(await arrivalsOf({ deny: rules }, { a, b: '{"a":1}' }), JSON.stringify(a)).toHaveLength(
      1,
    )
  }
  const allowed: readonly [Condition, unknown][] = [
    [{ below: '/srv' }, '/srv/a/../%C3%A9'],
    [{ below: 'C:\\srv' }, 'C:/srv/x.txt'],
    [{ prefix: 'https://docs.example/a/' }, 'https://docs.example/a/b..c/d?e=f'],
    [{ prefix: 'SELECT ' }, 'SELECT a\nFROM b'],
    [{ max: 10 }, 10],
    [{ below: '/srv/Notes' }, '/srv/Notes/\u043c\u0438\u0440.md'],
    [{ below: '/private/tmp/x' }, '/private/tmp/x/a'],
    [{ matches: '^[A-Z]+ \\S' }, 'SELECT a\nFROM b'],
    [{ host: 'https://*.example' }, 'https://docs.example/a?b#c'],
    [{ host: '127.0.0.1:8080' }, 'http://127.0.0.1:8080/x'],
    [{ host: 'a.example' }, 'https://a.example/@user?email=a@b.example'],
    [{ below: '/srv' }, '/srv/Cafe\u0301 9.41.00\u202fAM.png'],
    [{ below: '/srv' }, '/srv/\ufb01le \u00bd.md'],
  ]
  for (const [condition, a] of allowed) {
    const allow = [{ params: { a: condition } }]
    expect(await arrivalsOf({ allow, default: 'deny' }, { a }), JSON.stringify(a)).toHaveLength(1)
  }
})

/** Schemas by which a server takes a value for one that is absent. */
const schemas: readonly [schema: JsonObject, args: readonly JsonObject[]][] = [
  [{ properties: { stage: { default: 'production' } } }, [{}, { stage: null }, { stage: '' }]],
  [{ properties: { stage: { const: 'production' } } }, [{}]],
  [{ properties: { stage: { enum: ['production'] } } }, [{}]],
  [{ properties: { stage: { anyOf: [{ type: 'null' }, { default: 'production' }] } } }, [{}]],
  [{ properties: { stage: { $ref: '#/$defs/s' } }, $defs: { s: { default: 'production' } } }, [{}]],
  [{ allOf: [{ properties: { stage: { default: 'production' } } }] }, [{}]],
  [
    {
      properties: { stage: { $ref: '#/$defs/a%20b' } },
      $defs: { 'a b': { default: 'production' } },
    },
    [{}],
  ],
  [{ properties: { stage: { $ref: '#name' } } }, [{}]],
  [{ properties: {}, default: { stage: 'production' } }, [{}]],
  [{ properties: { Stage: { default: 'production' } } }, [{}]],
  [{ patternProperties: { '^st': { default: 'production' } } }, [{}]],
]

test.each(schemas)('a default of %j is the value that is absent', async (inputSchema, all) => {
  const tool = { name: 'any', definition: { inputSchema }, run: () => text('did it') }
  const equals = { stage: 'production' }
  for (const args of all)
    for (const permissions of [
      { deny: [{ tools: ['files.any'], params: equals }] },
      { ask: [{ tools: ['files.any'], params: equals }] },
      {
        allow: [{ params: { stage: { not: { equals: 'production' } } } }],
        default: 'deny' as const,
      },
      { allow: [{ params: equals }], default: 'deny' as const },
    ]) {
      const { clientOf, arrivals } = openAttacked(permissions, {
        files: createFiles({ tools: [tool] }),
      })
      const params = { name: 'files__any', arguments: args }
      await clientOf({ ...ada, mode: 'full' })('tools/call', params).catch(() => {})
      expect(arrivals(), JSON.stringify([permissions, args])).toEqual([])
    }
})

test('a default of a list is one of each of its items', () => {
  const inputSchema = {
    properties: {
      files: { items: { properties: { mode: { default: 'rw' } } } },
      a: { default: { b: 1 } },
    },
  }
  expect(valuesOfSchema(inputSchema, ['files', '*', 'mode']).values).toEqual(['rw'])
  expect(valuesOfSchema(inputSchema, ['files', '0', 'mode']).values).toEqual(['rw'])
  expect(valuesOfSchema(inputSchema, ['a', 'b']).values).toEqual([1])
  expect(valuesOfSchema({ $ref: '#' }, ['a'])).toEqual({ values: [], isUnknown: false })
  for (const $ref of ['#name', 'other.json#/a', '#/none'])
    expect(valuesOfSchema({ properties: { a: { $ref } } }, ['a']).isUnknown).toBe(true)
})

test('a list of which one lacks the value is judged with what is absent', async () => {
  const [below, not] = [{ below: '/srv' }, { not: { below: '/srv' } }]
  for (const files of [
    [{ a: '/srv/x' }, {}],
    [{ a: '/srv/x' }, { b: '/etc' }],
    [null, { a: '/srv/x' }],
  ]) {
    const of = (condition: Condition) => [
      { tools: ['files.any'], params: { 'files[*].a': condition } },
    ]
    expect(await arrivalsOf({ deny: of(not) }, { files })).toEqual([])
    expect(await arrivalsOf({ allow: of(below), default: 'deny' }, { files })).toEqual([])
  }
  const only = [{ params: { 'files[*].a': below }, only: true as const }]
  expect(
    await arrivalsOf({ allow: only, default: 'deny' }, { files: [{ a: '/srv/x' }, []] }),
  ).toEqual([])
  expect(
    await arrivalsOf({ allow: only, default: 'deny' }, { files: [{ a: '/srv/x' }] }),
  ).toHaveLength(1)
})

describe('resources and prompts', () => {
  const deny = [{ resources: ['file:///etc/*'] }, { prompts: ['sec*'] }]
  const read = (uri: string, method = 'resources/read'): [string, JsonObject] => [method, { uri }]
  const complete = (ref: JsonObject, more: JsonObject = {}): [string, JsonObject] => [
    'completion/complete',
    { ref, argument: { name: 'path', value: 'etc/pass' }, ...more },
  ]
  const rows: [string, JsonObject][] = [
    ...[
      [
        'file:///etc/passwd',
        'files+file:///etc/passwd',
        'file:/etc/passwd',
        'file://localhost/etc/x',
      ],
      ['FILE:///ETC/passwd', 'file:///%65tc/passwd', 'file:///etc%2Fx', 'file:///srv/../etc/x'],
      [
        'file:////etc/x',
        'file:///etc\\x',
        'file:///srv/%2e%2e/etc/x',
        'file:///srv/a?/../../etc/x',
      ],
      [
        'file:///srv/a#/../../etc/x',
        'file:///etc/x?y',
        'file:///etc/x#y',
        'files+files+file:///etc/x',
      ],
    ]
      .flat()
      .map((uri) => read(uri)),
    read('file:///etc/passwd', 'resources/subscribe'),
    read('file:///etc/passwd', 'skills/get'),
    read('file:///etc/passwd', 'resources/directory/read'),
    complete({ type: 'ref/resource', uri: 'file:///{+path}' }),
    complete({ type: 'ref/resource', uri: 'file:///{+path}' }, { uri: 'file:///srv/x' }),
    complete({ type: 'ref/prompt', name: 'files__secret' }),
    complete({ type: 'ref/prompt', name: 'files__secret' }, { uri: 'file:///srv', name: 'open' }),
    complete({ type: 'ref/prompt', name: 'files__secret', uri: 'file:///srv/x' }),
    ['prompts/get', { name: 'files__secret' }],
    ['prompts/get', { name: 'files__secret', uri: 'file:///srv/x' }],
    ['prompts/get', { name: 'files__secret', ref: { name: 'open' } }],
  ]
  test.each(rows)('are denied, whatever the request: %s %j', async (method, params) => {
    const asks = deny.map((rule) => ({ ...rule }))
    for (const permissions of [{ deny }, { ask: asks }]) {
      const { clientOf, arrivals } = openAttacked(permissions)
      await expect(clientOf()(method, params)).rejects.toThrow()
      expect(arrivals()).toEqual([])
    }
  })

  test('are allowed in one spelling', async () => {
    const allow = [{ resources: ['file:///srv/*'] }, { prompts: ['open'] }]
    const { clientOf, arrivals } = openAttacked({ allow, default: 'deny' })
    const uris = [
      'file:///srv/a?/../../etc/x',
      'file:///srv/../etc/x',
      'file:///SRV/x',
      'file:///srv',
    ]
    for (const uri of uris) await expect(clientOf()(...read(uri))).rejects.toThrow('is denied')
    expect(arrivals()).toEqual([])
    await clientOf()(...read('file:///srv/x'))
    await clientOf()('prompts/get', { name: 'files__open' })
    expect(arrivals()).toHaveLength(2)
  })
})
