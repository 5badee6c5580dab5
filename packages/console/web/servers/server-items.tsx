import { useState } from 'react'
import { useAct, useServerItems } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { countOf } from '../text/numbers.ts'
import { ArgumentsForm, OutcomeView } from '../tools/try-panel.tsx'
import { WriteButton } from '../ui/button.tsx'
import { Answered, Panel, ProblemNote } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'

type Item = Schemas['ServerItem']

/** The prompts and resources of a server, each to be tried as a client would. */
export function ItemsPanel({ server }: { server: Schemas['Server'] }) {
  const query = useServerItems(server.unit)
  if (server.prompts + server.resources === 0) return null
  return (
    <Panel
      title="Prompts and resources"
      aside={query.data && `${query.data.items.length}, each can be tried`}
    >
      <Answered query={query} lines={3}>
        {({ items, others: restCount }) => (
          <>
            {items.map((item) => (
              <ItemForm key={`${item.kind} ${item.name}`} item={item} />
            ))}
            {restCount > 0 && <p>and {countOf(restCount, 'more', 'more')}</p>}
          </>
        )}
      </Answered>
    </Panel>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A form for the arguments of a prompt, or for the URI that a template stands for. */
function schemaOf({ kind, name, definition }: Item) {
  if (kind === 'template')
    return { type: 'object', properties: { uri: { type: 'string', default: name } } }
  const list = Array.isArray(definition['arguments']) ? definition['arguments'] : []
  const members = list.map((argument: unknown) => {
    const { name: key, description, required } = Object(argument) as Record<string, unknown>
    return {
      key: textOf(key),
      required,
      field: { type: 'string', description: textOf(description) },
    }
  })
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(({ key, field }) => [key, field])),
    required: members.filter(({ required }) => required === true).map(({ key }) => key),
  }
}

function ItemForm({ item }: { item: Item }) {
  const { kind, name, definition } = item
  const [args, setArgs] = useState<Record<string, unknown>>({})
  const [isOpen, setOpen] = useState(false)
  const get = useAct({
    send: (api, input: Record<string, unknown>) =>
      api.POST('/api/v1/items/get', {
        body:
          kind === 'prompt'
            ? { kind, name, arguments: input as Record<string, string> }
            : { kind, name: textOf(input['uri']) || name },
      }),
    invalidates: [],
    isQuiet: true,
  })
  return (
    <details className="server-item" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {kind} <PlainText isCode>{name}</PlainText>{' '}
        <PlainText>{textOf(definition['description'] ?? definition['mimeType'])}</PlainText>
      </summary>
      {!isOpen ? null : kind === 'resource' ? (
        <WriteButton
          aria-label={`Read ${name}`}
          isBusy={get.isPending}
          onClick={() => get.mutate({})}
        >
          Read
        </WriteButton>
      ) : (
        <ArgumentsForm
          view="form"
          action={kind === 'prompt' ? 'Get' : 'Read'}
          schema={schemaOf(item)}
          args={args}
          isBusy={get.isPending}
          onChange={setArgs}
          onCall={get.mutate}
          onInvalid={get.reset}
        />
      )}
      <div aria-live="polite">
        {get.error && <ProblemNote error={get.error} />}
        {get.data && <OutcomeView outcome={get.data} />}
      </div>
    </details>
  )
}
