import { type FormEvent, useState } from 'react'
import type { Schemas } from '../api/answer-of.ts'
import { useAct, useServerOffers } from '../api/hooks.ts'
import { countOf } from '../text/numbers.ts'
import { ArgumentsForm, OutcomeView } from '../tools/try-panel.tsx'
import { WriteButton } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Answered, Panel, ProblemNote } from '../ui/page.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { column, Table } from '../ui/table.tsx'

type Offers = Schemas['ServerOffers']
type Item = Offers['resources'][number] & { isTemplate?: boolean }

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What the server offers besides tools, which have pages of their own. */
export function OffersPanel({ server }: { server: Schemas['Server'] }) {
  const query = useServerOffers(server.unit)
  return (
    <Panel title="Prompts and resources">
      <Answered query={query} lines={3}>
        {({ prompts, resources, templates, others }) => (
          <>
            <details>
              <summary>{countOf(prompts.length, 'prompt')}</summary>
              {prompts.map((prompt) => (
                <PromptForm key={prompt.name} prompt={prompt} />
              ))}
            </details>
            <details>
              <summary>
                {countOf(resources.length, 'resource')}, {countOf(templates.length, 'template')}
              </summary>
              <Resources
                items={[...resources, ...templates.map((item) => ({ ...item, isTemplate: true }))]}
              />
            </details>
            {others > 0 && (
              <p>
                {countOf(others, 'prompt or resource', 'prompts and resources')} are not listed
                here.
              </p>
            )}
          </>
        )}
      </Answered>
    </Panel>
  )
}

/** A prompt has texts as arguments. */
function PromptForm({ prompt: { name, definition } }: { prompt: Offers['prompts'][number] }) {
  const [args, setArgs] = useState<Record<string, unknown>>({})
  const get = useAct({
    send: (api, input: Record<string, unknown>) =>
      api.POST('/api/v1/prompts/get', {
        body: { name, arguments: input as Record<string, string> },
      }),
    invalidates: [],
    isQuiet: true,
  })
  const list = (Array.isArray(definition['arguments']) ? definition['arguments'] : []).map(
    (argument: unknown) => Object(argument) as Record<string, unknown>,
  )
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      list.map((argument) => [
        textOf(argument['name']),
        { type: 'string', description: textOf(argument['description']) },
      ]),
    ),
    required: list.flatMap((argument) => (argument['required'] ? textOf(argument['name']) : [])),
  }
  return (
    <details className="server-prompt">
      <summary>
        <PlainText>{name}</PlainText> <PlainText>{textOf(definition['description'])}</PlainText>
      </summary>
      <ArgumentsForm
        view="form"
        schema={schema}
        args={args}
        isBusy={get.isPending}
        onChange={setArgs}
        onCall={get.mutate}
        onInvalid={get.reset}
      />
      <div aria-live="polite">
        {get.error && <ProblemNote error={get.error} />}
        {get.data && <OutcomeView outcome={get.data} />}
      </div>
    </details>
  )
}

/** A template is filled in by hand. */
function Resources({ items }: { items: Item[] }) {
  const [uri, setUri] = useState('')
  const read = useAct({
    send: (api, address: string) => api.POST('/api/v1/resources/read', { body: { uri: address } }),
    invalidates: [],
    isQuiet: true,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    read.mutate(uri)
  }
  return (
    <>
      <Table<Item>
        caption="Resources and templates"
        className="is-cards"
        columns={[
          column('URI', '', (item) => <PlainText isCode>{item.uri}</PlainText>),
          column('Name', '', ({ definition }) => (
            <PlainText>{textOf(definition['name'])}</PlainText>
          )),
          column('Type', '', ({ definition }) => (
            <PlainText>{textOf(definition['mimeType'])}</PlainText>
          )),
          column('Actions', 'is-narrow', (item) => (
            <WriteButton
              aria-label={`${item.isTemplate ? 'Fill in' : 'Read'} ${item.uri}`}
              isBusy={read.isPending && read.variables === item.uri}
              onClick={() => {
                setUri(item.uri)
                if (!item.isTemplate) read.mutate(item.uri)
              }}
            >
              {item.isTemplate ? 'Fill in' : 'Read'}
            </WriteButton>
          )),
        ]}
        rows={items}
        keyOf={(item) => item.uri}
      />
      <form className="toolbar" onSubmit={submit}>
        <TextField label="URI" isWide required value={uri} onChange={setUri} />
        <WriteButton type="submit" isBusy={read.isPending}>
          Read
        </WriteButton>
      </form>
      <div aria-live="polite">
        {read.error && <ProblemNote error={read.error} />}
        {read.data && <OutcomeView outcome={read.data} />}
      </div>
    </>
  )
}
