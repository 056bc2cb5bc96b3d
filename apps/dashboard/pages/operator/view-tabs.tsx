import { NativeSelect, SegmentedControl } from '@mantine/core'
import classes from './view-tabs.module.css'

interface ViewTabsProps<View extends string> {
  value: View
  tabs: { value: View; label: string }[]
  onChange: (view: View) => void
}

/** Chooses the view of a page: tabs on a wide screen, a select on a phone. */
export function ViewTabs<View extends string>({ value, tabs, onChange }: ViewTabsProps<View>) {
  return (
    <>
      <SegmentedControl
        aria-label="View"
        visibleFrom="md"
        className={classes.tabs}
        value={value}
        data={tabs}
        onChange={onChange}
      />
      <NativeSelect
        aria-label="View"
        hiddenFrom="md"
        value={value}
        data={tabs}
        onChange={(event) => onChange(event.currentTarget.value as View)}
      />
    </>
  )
}
