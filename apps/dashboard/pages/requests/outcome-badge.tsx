import { StateBadge } from '../../components/state-badge.tsx'
import { outcomeColors, outcomeNames, type Outcome } from '../../filters/outcomes.ts'

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return <StateBadge color={outcomeColors[outcome]}>{outcomeNames[outcome]}</StateBadge>
}
