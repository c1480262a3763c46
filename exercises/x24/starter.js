({names: [], arrays: [], days: []})
