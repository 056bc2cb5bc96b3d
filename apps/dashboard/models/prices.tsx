import { Text } from '@mantine/core'
import type { Schemas } from '../api/client.ts'
import { perMillion } from '../format/money.ts'
import { isAuto } from './capabilities.ts'

type Model = Schemas['Model']

interface ModelPriceProps {
  model: Pick<Model, 'pricing' | 'owned_by'>
  name: 'prompt' | 'completion'
}

/** Of auto-routing it depends on what is chosen: what is listed is the most that it can be. */
export function ModelPrice({ model, name }: ModelPriceProps) {
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
