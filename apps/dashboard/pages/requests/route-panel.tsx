import { Code, Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { Facts } from '../../components/facts.tsx'
import { Panel } from '../../components/panel.tsx'

interface RoutePanelProps {
  chosen: NonNullable<Schemas['RequestDetail']['route']>
  tier: string | null
}

const tiers = ['SIMPLE', 'MEDIUM', 'COMPLEX', 'REASONING']

type Chosen = RoutePanelProps['chosen']

/** How auto-routing chose the model. */
export function RoutePanel({ chosen, tier }: RoutePanelProps) {
  return (
    <Panel title="Routing" description={`Profile ${chosen.profile}`}>
      <Facts
        facts={[
          ['Tier', tier === chosen.scored ? tier : `${tier}; the prompt alone called for ${chosen.scored}`],
          ['Score', `${chosen.score.toFixed(3)}, from 0 (easy) to 1 (hard)`],
          [
            'Chance of success',
            chosen.probabilities
              .map((chance, index) => `${tiers[index] ?? index} ${Math.round(chance * 100)} %`)
              .join(', '),
          ],
          ['By your outcomes', outcomesOf(chosen)],
          ['Correction', correctionOf(chosen)],
          ['Sure', chosen.confident ? 'yes' : 'low: too few known words in the text'],
          ['Because', chosen.because.length === 0 ? null : chosen.because.join('; ')],
          [
            'Model order',
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

/** The tier that the account's own outcomes suggest; null if they are not used, or the row is older. */
function outcomesOf({ calibration, calibrated, scored }: Chosen): string | null {
  if (calibrated === undefined || calibrated === null) return null
  const suggestion = calibrated === scored ? `${calibrated}, same as the prompt alone` : calibrated
  return calibration === 'on' ? `${suggestion}; used` : `${suggestion}; recorded only (shadow)`
}

function correctionOf({ correction }: Chosen): string | null {
  if (correction === undefined || correction === null) return null
  const changes = correction.flatMap((change, index) => {
    const sign = change < 0 ? '−' : '+'
    return change === 0 ? [] : [`${tiers[index] ?? index} ${sign}${Math.abs(change).toFixed(2)}`]
  })
  return changes.length === 0 ? 'no data yet' : `${changes.join(', ')} log-odds`
}
