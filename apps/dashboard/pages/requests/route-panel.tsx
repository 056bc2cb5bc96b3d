import { Code, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'

interface RoutePanelProps {
  chosen: NonNullable<Schemas['RequestDetail']['route']>
  tier: string | null
}

const tiers = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING']

/** How auto-routing came to its choice. */
export function RoutePanel({ chosen, tier }: RoutePanelProps) {
  return (
    <Panel title="How the model was chosen" description={`Profile ${chosen.profile}`}>
      <Facts
        facts={[
          ['Tier', tier === chosen.scored ? tier : `${tier}; the prompt alone asked for ${chosen.scored}`],
          ['Score', `${chosen.score.toFixed(3)}, from 0 (any model will do) to 1`],
          [
            'Chances of success',
            chosen.probabilities
              .map((chance, index) => `${tiers[index] ?? index} ${Math.round(chance * 100)} %`)
              .join(', '),
          ],
          ['Sure', chosen.confident ? 'yes' : 'no: too little of the text is known'],
          ['Because', chosen.because.length === 0 ? null : chosen.because.join('; ')],
          [
            'Order of models',
            <Text key="ranking" size="sm" component="span">
              {chosen.ranking.map((model) => (
                <Code key={model} mr={6}>
                  {model}
                </Code>
              ))}
            </Text>,
          ],
        ]}
      />
    </Panel>
  )
}
