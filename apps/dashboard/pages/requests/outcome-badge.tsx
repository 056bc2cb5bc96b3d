import { StateBadge } from '../../components/state-badge.tsx'
import { outcomeColors, outcomeNames, type Outcome } from '../../filters/outcomes.ts'

export function OutcomeBadge({ outcome, isBare = false }: { outcome: Outcome; isBare?: boolean }) {
  return (
    <StateBadge color={outcomeColors[outcome]} isBare={isBare}>
      {outcomeNames[outcome]}
    </StateBadge>
  )
}
