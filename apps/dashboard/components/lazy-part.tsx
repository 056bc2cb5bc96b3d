import { Text } from '@mantine/core'
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

/** A part of a page whose code is loaded when it is shown. If the code cannot be loaded, it says so. */
export function lazyPart<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(() => load().catch(() => ({ default: PartMissing })))
}

function PartMissing() {
  return (
    <Text size="sm" role="alert" px="xs">
      This part of the page could not be loaded. Reload the page.
    </Text>
  )
}
