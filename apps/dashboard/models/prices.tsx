import { Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { perMillion } from '../format/money.ts'
import { isAnswering, isAuto } from './capabilities.ts'
import { Unknown } from './measured.tsx'
import { priceTable, tokenUnit } from './price-rows.ts'

type Model = Schemas['Model']

interface ModelPriceProps {
  model: Pick<Model, 'pricing' | 'owned_by' | 'operations'>
  name: 'prompt' | 'completion'
}

/**
 * A model that does not generate text has one price, perhaps per another unit. The price of auto-routing
 * depends on the chosen model: the listed price is the maximum.
 */
export function ModelPrice({ model, name }: ModelPriceProps) {
  if (!isAnswering(model)) return name === 'prompt' ? <OnlyPrice model={model} /> : <Unknown />
  const price = perMillion(model.pricing[name])
  if (!isAuto(model)) return price
  return (
    <>
      <Text size="sm">depends</Text>
      <Text size="xs" c="dimmed" className="one-line">
        at most {price}
      </Text>
    </>
  )
}

function OnlyPrice({ model }: { model: ModelPriceProps['model'] }) {
  const [row] = priceTable(model).rows
  if (row === undefined) return perMillion('0')
  return (
    <>
      {row.prices[0]!.text}
      {row.unit !== tokenUnit && (
        <Text size="xs" c="dimmed">
          {row.unit}
        </Text>
      )}
    </>
  )
}
