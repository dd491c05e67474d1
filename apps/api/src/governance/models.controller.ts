import {
  type ModelPath,
  type ModelPut,
  type ModelReRate,
  modelPath,
  modelPrice,
  modelPut,
  modelReRate,
  modelReRated,
} from '@countersign/contracts';
import { Controller, Inject } from '@nestjs/common';
import { Body, Params, Route } from '../platform/route.controller.js';
import { type ReRateDependencies, reRate } from './re-rate.js';
import { type SetModelPriceDependencies, setModelPrice } from './set-model-price.js';

export const SET_MODEL_PRICE = Symbol('SetModelPriceDependencies');
export const RE_RATE = Symbol('ReRateDependencies');

/** `/admin/v1/models`: what models cost. List prices are built in; the operator's come before them. */
@Controller()
export class ModelsController {
  constructor(
    @Inject(SET_MODEL_PRICE) private readonly setting: SetModelPriceDependencies,
    @Inject(RE_RATE) private readonly reRating: ReRateDependencies,
  ) {}

  @Route({
    method: 'PUT',
    path: '/admin/v1/models/{provider}/{model}',
    access: 'operator',
    summary: 'Sets the price of a model: a new version, which holds from validFrom on.',
    params: modelPath,
    body: modelPut,
    ok: modelPrice,
  })
  replace(@Params() path: ModelPath, @Body() body: ModelPut): Promise<object> {
    return setModelPrice(this.setting, path, body);
  }

  @Route({
    method: 'POST',
    path: '/admin/v1/models/re-rate',
    access: 'operator',
    summary: 'Reckons the calls of a model since a moment anew, by the prices as they are now.',
    body: modelReRate,
    ok: modelReRated,
  })
  reRate(@Body() body: ModelReRate): Promise<object> {
    return reRate(this.reRating, body);
  }
}
