import { Code, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Schemas } from '../../api/client.ts'
import { modelsQuery, providersQuery } from '../../api/model-queries.ts'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { Figure } from '../../components/figure.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageButton, PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { TablePanel } from '../../components/tables/table-panel.tsx'
import { perMillion } from '../../format/money.ts'
import { shortNumber } from '../../format/number.ts'
import { priceTable, tokenUnit } from '../../models/price-rows.ts'
import { isAnswering, isAuto } from '../../models/capabilities.ts'
import { useSession } from '../../sign-in/session-context.ts'
import { RoutedLately } from '../../models/routed-lately.tsx'
import { AutoChoices } from './auto-choices.tsx'
import { ModelFacts } from './model-facts.tsx'
import { NoSuchModel } from './no-such-model.tsx'
import { PriceTable } from './price-table.tsx'
import { ProviderTable } from './provider-table.tsx'

type Model = Schemas['Model']

const route = getRouteApi('/models/$')
const ModelCodePanel = lazy(() => import('./model-code-panel.tsx').catch(() => ({ default: () => null })))

/** Everything about one model. Its address contains the model ID. */
export function ModelPage() {
  const id = route.useParams({ select: ({ _splat }) => _splat ?? '' })
  const query = useQuery(modelsQuery)
  return (
    <Loaded query={query} skeleton={<Skeleton height={640} />}>
      {({ data }) => {
        const model = data.find((one) => one.id === id)
        const [match, other] = data.filter((one) => one.id.endsWith(`/${id}`))
        // A name without a vendor also works, as in requests, if only one model has it.
        if (model === undefined && match !== undefined && other === undefined)
          return <Navigate to="/models/$" params={{ _splat: match.id }} replace />
        if (model === undefined) return <NoSuchModel name={id} models={data} />
        return <Model key={id} model={model} models={data} />
      }}
    </Loaded>
  )
}

function Model({ model, models }: { model: Model; models: Model[] }) {
  const { id, name } = model
  const { user } = useSession()
  const providers = useQuery(providersQuery(id))
  const code = providers.data !== undefined && (
    <Suspense fallback={<Skeleton height={360} />}>
      <ModelCodePanel model={id} endpoints={providers.data.endpoints} />
    </Suspense>
  )
  return (
    <>
      <Text size="sm" mb="xs">
        <PageLink to="/models">Models</PageLink>
      </Text>
      <PageHeader title={name} description={<Identifier id={id} />}>
        <Group gap="xs">
          <PageButton to="/compare" search={{ models: [id] }} variant="default">
            Compare
          </PageButton>
          {isAnswering(model) && user !== undefined && (
            <PageButton to="/playground" search={{ model: id }}>
              Try it
            </PageButton>
          )}
        </Group>
      </PageHeader>
      <Stack gap="md">
        <Figures model={model} isSignedIn={user !== undefined} />
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md" style={{ alignItems: 'start' }}>
          <Stack gap="md" miw={0}>
            {isAuto(model) ? (
              <RoutedPrices model={model} models={models} choices={providers.data?.choices} />
            ) : (
              <>
                <Prices model={model} />
                {code}
              </>
            )}
          </Stack>
          <Stack gap="md" miw={0}>
            <Panel title="Input and output">
              <ModelFacts
                model={model}
                fallbacks={providers.data?.fallbacks ?? []}
                isNewcomer={user === undefined}
              />
            </Panel>
            {isAuto(model) && code}
          </Stack>
        </SimpleGrid>
        {!isAuto(model) && (
          <Loaded query={providers} skeleton={<Skeleton height={180} />}>
            {(found) => <ProviderTable model={model} found={found} isSignedIn={user !== undefined} />}
          </Loaded>
        )}
      </Stack>
    </>
  )
}

function Identifier({ id }: { id: string }) {
  return (
    <Group gap={2} component="span" wrap="nowrap">
      <Code>{id}</Code>
      <CopyIcon value={id} label={`Copy ${id}`} />
    </Group>
  )
}

function Figures({ model, isSignedIn }: { model: Model; isSignedIn: boolean }) {
  const price = (label: string, name: 'prompt' | 'completion') => (
    <Figure
      label={label}
      value={isAuto(model) ? 'depends' : perMillion(model.pricing[name])}
      note={isAuto(model) ? `at most ${perMillion(model.pricing[name])}` : tokenUnit}
    />
  )
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        {isAnswering(model) ? price('Input', 'prompt') : <OnlyPrice model={model} />}
        {isAnswering(model) && price('Output', 'completion')}
        <Figure label="Context" value={shortNumber(model.context_length)} note="tokens" />
        {isAnswering(model) && (
          <Figure label="Max output" value={shortNumber(model.max_output_tokens)} note="tokens" />
        )}
      </SimpleGrid>
      {isAuto(model) && isSignedIn && <RoutedLately />}
    </Stack>
  )
}

/** The price of a model that does not generate text. */
function OnlyPrice({ model }: { model: Model }) {
  const [row] = priceTable(model).rows
  return (
    <Figure
      label={row?.label ?? 'Input'}
      value={row?.prices[0]?.text ?? perMillion('0')}
      note={row?.unit ?? tokenUnit}
    />
  )
}

const priceNote =
  'In USD, markup included. Without separate prices, cached input costs the same as input, and ' +
  'reasoning the same as output.'

function Prices({ model }: { model: Model }) {
  const isTiered = (model.pricing.overrides ?? []).length > 0
  return (
    <TablePanel
      title="Prices"
      description={`${priceNote}${isTiered ? ' Long prompts cost more, for all of their tokens.' : ''}`}
    >
      <PriceTable model={model} />
    </TablePanel>
  )
}

/** The models that auto-routing chooses from; it has no price of its own. */
function RoutedPrices({ model: { pricing }, models, choices }: RoutedPricesProps) {
  const [input, output] = [perMillion(pricing.prompt), perMillion(pricing.completion)]
  const most = `${input} per million input tokens and ${output} per million output tokens`
  return (
    <TablePanel
      title="Candidate models"
      description={`Each request is charged at the price of the model that answers it: at most ${most}.`}
    >
      {choices === undefined ? <Skeleton height={320} /> : <AutoChoices choices={choices} models={models} />}
    </TablePanel>
  )
}

interface RoutedPricesProps {
  model: Model
  models: Model[]
  /** Undefined while it loads. */
  choices: Schemas['ModelProviders']['choices'] | undefined
}
