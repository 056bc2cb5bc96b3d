import {
  dollars,
  type Model,
  modelFields,
  type ModelOrder,
  modelOrders,
  perMillion,
  type PriceName,
  selectModels,
} from '@turnpike/api'
import { readModels } from '../../api/key-api.ts'
import { rows } from '../../output/result.ts'
import { choice, command, flag, text } from '../../program/command.ts'
import type { Column } from '../../terminal/table.ts'

const columns: Column<Model>[] = [
  { field: 'id', title: 'MODEL', text: ({ id }) => id, paint: (text, _, { bold }) => bold(text) },
  price('INPUT $/M', 'prompt'),
  price('OUTPUT $/M', 'completion'),
  { ...price('CACHED $/M', 'input_cache_read'), narrow: 'drop' },
  {
    field: 'context_length',
    title: 'CONTEXT',
    align: 'right',
    text: ({ context_length: length }, { isTerminal }) => (isTerminal ? short(length) : String(length ?? '')),
    narrow: 'drop',
  },
  {
    field: 'max_output_tokens',
    title: 'MAX OUTPUT',
    align: 'right',
    text: ({ max_output_tokens: length }, { isTerminal }) =>
      isTerminal ? short(length) : String(length ?? ''),
    narrow: 'drop',
  },
  {
    field: 'tiers',
    title: 'TIERS',
    text: ({ tiers }) => (tiers ?? []).join(' ').toLowerCase(),
    narrow: 'drop',
  },
]

/** Only a column of the table: in JSON, prices are in `pricing`, per token. */
function price(title: string, name: PriceName): Column<Model> {
  const text = (model: Model): string => dollars(perMillion(model, name) ?? '')
  return { field: `pricing.${name}`, title, align: 'right', text, narrow: 'keep' }
}

/** `131k`, `1M` */
function short(tokens: number | null | undefined): string {
  if (tokens === null || tokens === undefined) return ''
  if (tokens < 1_000) return String(tokens)
  if (tokens < 1_000_000) return `${Math.floor(tokens / 1_000)}k`
  return `${Number((tokens / 1_000_000).toFixed(1))}M`
}

export default command({
  details: ['The table shows USD per million tokens; --json shows USD per token, as in the API.'],
  arguments: { filter: { kind: 'words', description: 'Words that the id or name must contain' } },
  options: {
    provider: text('name', 'Only this provider'),
    sort: choice('by', 'What to sort by (default id)', modelOrders),
    reverse: flag('Reverse the order'),
    key: text('api-key', 'The API key to ask with'),
  },
  fields: modelFields,
  examples: [
    { does: 'All models', line: 'turnpike models' },
    { does: 'Cheapest first', line: 'turnpike models --sort output' },
    { does: 'Small models of one provider', line: 'turnpike models mini --provider openai' },
    { does: 'Only ids', line: 'turnpike models --fields id' },
  ],
  async run(context, { filter, provider, sort, reverse, key }) {
    const all = await readModels(context, key)
    const data = selectModels(all, {
      words: filter,
      provider,
      order: sort as ModelOrder | undefined,
    })
    if (reverse) data.reverse()
    const list = { object: 'list' as const, data, has_more: false, next_cursor: null }
    return rows(list, columns, 'No matching models.')
  },
})
