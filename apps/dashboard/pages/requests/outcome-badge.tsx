import { Badge } from '@mantine/core'
import { outcomeColors, outcomeNames, type Outcome } from '../../filters/outcomes.ts'

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return (
    <Badge variant="dot" color={outcomeColors[outcome]} tt="none" fw={500} size="md" radius="sm">
      {outcomeNames[outcome]}
    </Badge>
  )
}
