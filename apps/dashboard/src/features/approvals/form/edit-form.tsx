'use client';

import { useEffect, useRef } from 'react';
import { Row } from '../card/row';
import { FormFields } from './form-fields';
import type { Edit } from './use-edit';

/** The arguments as a form, old beside new. */
export function EditForm({ edit }: { edit: Edit }) {
  const { control } = edit.form.root;
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    fields.current?.querySelector<HTMLElement>('input, textarea, select')?.focus();
  }, []);
  return (
    <Row label="Arguments">
      <div className="mb-3 hidden gap-x-3 text-12 text-faint md:grid md:grid-cols-2">
        <span>As asked</span>
        <span>As you approve it</span>
      </div>
      <div ref={fields}>
        {control.kind === 'group' && <FormFields fields={control.fields} form={edit.form} />}
      </div>
    </Row>
  );
}
