import { Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { Facts } from '../../components/facts.tsx'
import { Money } from '../../components/money.tsx'
import { Panel } from '../../components/panel.tsx'
import { perMillion } from '../../format/money.ts'
import { wholeNumber } from '../../format/number.ts'

/**
 * What is counted, and at which price; if a price is absent, the next one in the list applies
 * (docs/contract.md, 5.7).
 */
const buckets = [
  ['input_tokens', 'Input', ['prompt']],
  ['cache_read_tokens', 'Input from cache', ['input_cache_read', 'prompt']],
  ['cache_write_tokens', 'Written to cache', ['input_cache_write', 'prompt']],
  ['cache_write_1h_tokens', 'Written to cache, 1 h', ['input_cache_write_1h', 'input_cache_write', 'prompt']],
  ['input_audio_tokens', 'Audio in', ['audio', 'prompt']],
  ['input_image_tokens', 'Images in', ['image', 'prompt']],
  ['cache_read_audio_tokens', 'Audio from cache', ['input_audio_cache', 'input_cache_read', 'prompt']],
  ['output_tokens', 'Output', ['completion']],
  ['reasoning_tokens', 'Reasoning', ['internal_reasoning', 'completion']],
  ['output_audio_tokens', 'Audio out', ['audio_output', 'completion']],
  ['output_image_tokens', 'Images out', ['image_output', 'completion']],
  ['citation_tokens', 'Cited pages read', ['citation']],
  ['search_units', 'Search units', ['search_unit']],
] as const

/** Everything that the charge was computed from. */
export function ChargePanel({ request }: { request: Schemas['RequestDetail'] }) {
  const { usage } = request
  const tier = usage?.['service_tier']
  const pricing = pricesOf(request.pricing, tier)
  const searches = usage?.['web_searches']
  return (
    <Panel title="Charge">
      <Facts
        facts={[
          ...buckets.flatMap(([field, name, prices]): [string, React.ReactNode][] => {
            const count = usage?.[field]
            if (typeof count !== 'number' || count === 0) return []
            return [[name, <Counted key={field} count={count} price={priceOf(pricing, prices)} />]]
          }),
          ['Web searches', typeof searches === 'number' ? wholeNumber(searches) : null],
          ['Service tier', typeof tier === 'string' ? tier : null],
          ['Counting', countingOf(usage)],
          ['Price version', request.price_version],
          ['Maximum held', <Money key="hold" amount={request.hold_usd} />],
          ['Charged', <strong key="charge" children={<Money amount={request.charge_usd} exact />} />],
        ]}
      />
    </Panel>
  )
}

/** How the tokens were counted, if not only by the vendor. */
function countingOf(usage: Schemas['RequestDetail']['usage']): string | null {
  switch (usage?.['disbelieved']) {
    case 'implausible':
      return 'estimated: the vendor reported impossible numbers'
    case 'beyond-hold':
      return 'capped at the amount held: the vendor exceeded the token limit'
    default:
      return usage?.['estimated'] === true ? 'estimated: the vendor reported no usage' : null
  }
}

function Counted({ count, price }: { count: number; price: string | undefined }) {
  return (
    <span className="figures">
      {wholeNumber(count)}
      {price !== undefined && (
        <Text span size="sm" c="dimmed">
          {' '}
          at {perMillion(price)} per million
        </Text>
      )}
    </span>
  )
}

/** The prices of the service tier that the vendor used; the plain ones if there was none. */
function pricesOf(pricing: Record<string, unknown> | null, tier: unknown): Record<string, unknown> | null {
  const tiers = pricing?.['service_tiers'] as Record<string, object> | undefined
  return typeof tier === 'string' ? { ...pricing, ...tiers?.[tier.toLowerCase()] } : pricing
}

function priceOf(pricing: Record<string, unknown> | null, names: readonly string[]): string | undefined {
  const found = names.map((name) => pricing?.[name]).find((one) => typeof one === 'string')
  return typeof found === 'string' ? found : undefined
}
