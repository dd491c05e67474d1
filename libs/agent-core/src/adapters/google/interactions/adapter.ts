import type { ModelAdapter } from '../../../model/model.js';
import { functionNames } from '../function-names.js';
import { GOOGLE_SDK } from '../sdk-version.js';
import { prepareCall } from '../send-call.js';
import { encodeInteraction } from './encode.js';
import { InteractionAssembly } from './reply-assembly.js';

/** Google's Interactions, streamed and without state at Google. */
export function createInteractionsAdapter(): ModelAdapter {
  return {
    revision: { adapter: 'google-interactions 1', sdk: GOOGLE_SDK },
    prepare(request, access) {
      const names = functionNames(request.tools);
      const body = encodeInteraction(request, names);
      return prepareCall({
        request: { path: 'interactions', query: {}, headers: { accept: 'text/event-stream' }, body },
        access,
        newAssembly: () => new InteractionAssembly(request.choice, names.toTool),
      });
    },
  };
}
