import { Text } from '@mantine/core'
import type { Schemas } from '../../api/client.ts'
import { duration } from '../../format/number.ts'
import { spansOf } from './spans.ts'
import classes from './waterfall.module.css'

/** When each upstream was called, for how long, and when the answer arrived. */
export function Waterfall({ request }: { request: Schemas['RequestDetail'] }) {
  const spans = spansOf(request)
  if (spans.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No vendor was called.
      </Text>
    )
  return (
    <ol className={classes.spans}>
      {spans.map((span, index) => (
        <li key={index} className={classes.span}>
          <div className={classes.words}>
            <Text size="sm" fw={500} truncate>
              {span.name}
            </Text>
            <Text size="xs" c="dimmed">
              {span.note}
            </Text>
          </div>
          <div className={classes.track}>
            <div
              className={classes.bar}
              data-kind={span.kind}
              style={{ marginInlineStart: `${span.startPercent}%`, width: `${span.widthPercent}%` }}
            />
          </div>
          <Text size="sm" ta="right" className="figures">
            {duration(span.durationMs)}
          </Text>
        </li>
      ))}
    </ol>
  )
}
