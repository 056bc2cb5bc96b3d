import { SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { Panel } from '../../components/panel.tsx'

interface SeriesPanelProps<Choice extends string> {
  title: string
  description: string
  /** The control's label for screen readers. */
  label: string
  choices: Readonly<Record<Choice, string>>
  chosen: Choice
  onChoose: (choice: Choice) => void
  children: ReactNode
}

/** A chart with a control that chooses what it shows. */
export function SeriesPanel<Choice extends string>(props: SeriesPanelProps<Choice>) {
  const { title, description, label, choices, chosen, onChoose, children } = props
  return (
    <Panel
      title={title}
      description={description}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={label}
          value={chosen}
          data={(Object.keys(choices) as Choice[]).map((value) => ({ value, label: choices[value] }))}
          onChange={onChoose}
        />
      }
    >
      {children}
    </Panel>
  )
}

export const chartHeight = 240
