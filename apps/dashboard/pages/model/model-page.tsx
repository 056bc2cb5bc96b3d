import { Code, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { Schemas } from '../../api/client.ts'
import { modelsQuery, providersQuery } from '../../api/model-queries.ts'
import { CopyIcon } from '../../components/copy-icon.tsx'
import { Figure } from '../../components/figure.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageButton, PageLink } from '../../components/page-link.tsx'
import { Panel } from '../../components/panel.tsx'
import { perMillion } from '../../format/money.ts'
import { shortNumber } from '../../format/number.ts'
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

/** All that there is to know of one model. Its address is its identifier. */
export function ModelPage() {
  const id = route.useParams({ select: ({ _splat }) => _splat ?? '' })
  const query = useQuery(modelsQuery)
  return (
    <Loaded query={query} skeleton={<Skeleton height={640} />}>
      {({ data }) => {
        const model = data.find((one) => one.id === id)
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
          {isAuto(model) ? <RoutedPrices model={model} /> : <Prices model={model} />}
          <Panel title="What it takes and gives">
            <ModelFacts
              model={model}
              fallbacks={providers.data?.fallbacks ?? []}
              limitsOf={user === undefined ? 'a new account' : 'your account'}
            />
          </Panel>
        </SimpleGrid>
        <Loaded query={providers} skeleton={<Skeleton height={180} />}>
          {(found) => <Serving found={found} model={model} models={models} />}
        </Loaded>
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
      note={isAuto(model) ? `at most ${perMillion(model.pricing[name])}` : 'a million tokens'}
    />
  )
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
        {price('Input', 'prompt')}
        {isAnswering(model) && price('Output', 'completion')}
        <Figure label="Context" value={shortNumber(model.context_length)} note="tokens" />
        {isAnswering(model) && (
          <Figure label="Longest answer" value={shortNumber(model.max_output_tokens)} note="tokens" />
        )}
      </SimpleGrid>
      {isAuto(model) && isSignedIn && <RoutedLately />}
    </Stack>
  )
}

function Prices({ model }: { model: Model }) {
  return (
    <Panel
      title="Prices"
      description="In USD, markup included. Input of a cache and reasoning without a price of their own cost as input and output."
    >
      <PriceTable model={model} />
    </Panel>
  )
}

function RoutedPrices({ model: { pricing } }: { model: Model }) {
  return (
    <Panel title="Prices">
      <Text size="sm">
        Each request costs what the model costs that answers it: at most {perMillion(pricing.prompt)} a
        million tokens of input and {perMillion(pricing.completion)} of output.
      </Text>
    </Panel>
  )
}

interface ServingProps {
  found: Schemas['ModelProviders']
  model: Model
  models: Model[]
}

function Serving({ found, model, models }: ServingProps) {
  return (
    <>
      {isAuto(model) ? (
        <Panel title="What it chooses from">
          <AutoChoices choices={found.choices} models={models} />
        </Panel>
      ) : (
        <Panel
          title="Providers"
          description={`In the order in which they are asked. Measured over ${found.measured_days} days.`}
        >
          <ProviderTable providers={found} />
        </Panel>
      )}
      <Suspense fallback={<Skeleton height={300} />}>
        <ModelCodePanel model={model.id} endpoints={found.endpoints} />
      </Suspense>
    </>
  )
}
