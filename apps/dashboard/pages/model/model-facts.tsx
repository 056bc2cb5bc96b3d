import { Code, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { Facts } from '../../components/facts.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { dateOf } from '../../format/time.ts'
import { wholeNumber } from '../../format/number.ts'
import { isAuto } from '../../models/capabilities.ts'
import { limitWords } from '../../models/limits.ts'

type Model = Schemas['Model']

const operationWords: Record<Model['operations'][number], string> = {
  generate: 'answers',
  embed: 'embeddings',
  rerank: 'rankings',
  moderate: 'moderations',
}

interface ModelFactsProps {
  model: Model
  fallbacks: readonly string[]
  /** True if the limits are those of a new account, not those of the signed-in one. */
  isNewcomer: boolean
}

/** A model's inputs, outputs and limits. */
export function ModelFacts({ model, fallbacks, isNewcomer }: ModelFactsProps) {
  const { modalities, operations, supported_parameters: parameters } = model
  return (
    <Facts
      facts={[
        ['Operations', operations.map((one) => operationWords[one]).join(', ')],
        ['Input', modalities.input.join(', ')],
        ['Output', modalities.output.join(', ')],
        ['Context', `${wholeNumber(model.context_length)} tokens`],
        ['Max output', model.max_output_tokens > 0 ? `${wholeNumber(model.max_output_tokens)} tokens` : null],
        ['Dimensions', model.dimensions === null ? null : wholeNumber(model.dimensions)],
        [isNewcomer ? 'A new account’s limits' : 'Your limits', limitWords(model.limits) ?? 'none'],
        ['Released', isAuto(model) ? null : dateOf(model.created)],
        ['Tiers of auto-routing', model.tiers.length === 0 ? null : model.tiers.join(', ')],
        ['Fallbacks', fallbacks.length === 0 ? null : <Fallbacks models={fallbacks} />],
        ['Parameters', <Parameters key="parameters" names={parameters} />],
      ]}
    />
  )
}

function Fallbacks({ models }: { models: readonly string[] }) {
  return (
    <Group gap={8}>
      {models.map((id) => (
        <PageLink key={id} to="/models/$" params={{ _splat: id }}>
          {id}
        </PageLink>
      ))}
    </Group>
  )
}

function Parameters({ names }: { names: readonly string[] }): ReactNode {
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed">
        unknown
      </Text>
    )
  return (
    <Group gap={6}>
      {names.map((name) => (
        <Code key={name}>{name}</Code>
      ))}
    </Group>
  )
}
