import { Badge } from '@mantine/core'
import { outcomeColors, outcomeNames } from './outcome-names.ts'
import type { Outcome } from './request-search.ts'

export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return (
    <Badge variant="dot" color={outcomeColors[outcome]} tt="none" fw={500} size="md" radius="sm">
      {outcomeNames[outcome]}
    </Badge>
  )
}
